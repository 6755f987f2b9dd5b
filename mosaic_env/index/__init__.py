"""Search that is exact on every machine: integer scores, one order (score descending, key ascending).

``text`` tokens · ``lexical`` integer impacts over fields · ``vectors`` exact inner products ·
``descriptor`` pictures without weights · ``encoders`` seams for trained ones · ``build`` writes the
index section · ``world`` a snapshot opened for searching
"""
