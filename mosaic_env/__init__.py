"""mosaic_env: a reproducible, offline world for agents that search with words and pictures.

    import gymnasium as gym, mosaic_env
    env = gym.make("InterLV-L2-v0")

Importing registers the environment ids and nothing more: worlds, indices and encoders load when used.
"""

from mosaic_env.envs.catalogue import register_all

register_all()

__all__ = ["register_all"]
__version__ = "0.1.0.dev0"
