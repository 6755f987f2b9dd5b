"""Search that is exact on every machine, in one order (score descending, key ascending).

``text`` tokens · ``postings`` integer impacts · ``ngrams`` hashed integer vectors · ``textual`` text search ·
``vectors`` exact inner products · ``descriptor`` pictures without weights · ``encoders`` the seam for trained
ones · ``build`` writes the index section · ``images`` bytes and pixels · ``world`` a snapshot opened for search
"""
