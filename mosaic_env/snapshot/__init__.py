"""Content-addressed snapshots: an immutable world in sections, named by a Merkle root.

``files`` crash-safe writing · ``objects`` bytes named by sha256 · ``manifest`` what names them ·
``tables`` SQLite files with a logical digest · ``kb`` entities, triples, pictures · ``taskset`` public
tasks and private gold · ``responses`` recorded calls · ``writer`` publish · ``opened`` read ·
``locate`` find · ``verify`` · ``pack``
"""
