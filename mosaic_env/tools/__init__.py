"""What agents can call. One file a tool (or family); all register the same way, a stranger's too.

``base`` the Tool class and its registration · ``handles`` names of pictures and entities in an episode ·
``rows`` result rows · then one file for each tool.
"""
