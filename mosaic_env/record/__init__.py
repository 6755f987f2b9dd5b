"""From the outside world to a snapshot: importers of files, the recorder of live tools, freeze.

``importers`` knowledge base, triples, pictures · ``build`` the pipeline behind ``mosaic snapshot build`` ·
``recorder`` calls into a resumable folder · ``freeze`` a recording into a new snapshot.
The only package, with ``agents`` and ``adapters``, that may ever talk to a network.
"""
