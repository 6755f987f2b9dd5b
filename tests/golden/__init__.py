"""Golden data: parses of texts, and episodes whose digests must never change unnoticed."""
