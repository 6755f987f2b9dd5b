"""The drawing kit of the world's pictures: colours, shapes, a canvas, icons, landmarks, scenery.

Must not: know entities, scenes of a kind, or tasks.
"""
