"""The procedural world generator: a fictional world as a pure function of configuration and seed.

``config`` what a world is a function of · ``names`` · ``draft`` subjects and facts while it is made · ``kinds``
one file a kind of entity · ``doubles`` namesakes and near-duplicates · ``prose`` texts · ``scene`` what a picture
shows, as data · ``pictures`` one file a kind of picture · ``drawing`` the kit they draw with · ``generate`` makes
the world · ``draw`` draws a scene · ``drawn`` draws many in processes · ``make`` publishes a snapshot · ``gallery``
an HTML contact sheet

Must not: be needed to play; environments read the snapshot.
"""
