"""Language models behind one seam: see ``base``. One file a way to get an answer."""
