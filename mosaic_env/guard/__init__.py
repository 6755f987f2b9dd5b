"""Everything that touches bytes, names or text which somebody hostile may have written.

    containers.py  what the picture formats share: header, cleaned file, EXIF orientation
    png.py         PNG: read the header, keep only the chunks that decoding needs
    jpeg.py        JPEG: read the header, keep only the segments that decoding needs
    webp.py        WEBP: read the header, keep only the chunks that decoding needs
    images.py      pictures for the rest of the package: inspect, canonicalise, decode, encode, resize
    paths.py       names inside a manifest or archive, and regular files on disk
    archives.py    plain tar archives, written deterministically and read without extracting
    redact.py      three nets for secrets: kept headers, redaction, final scan
    html.py        text and data inside HTML and terminals
    net.py         which URLs and addresses the recorder may ask
    sandbox.py     model-written code

Import the modules, not this package: it exports nothing.
"""
