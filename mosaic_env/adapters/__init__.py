"""Thin adapters to trainers: the environment decides, an adapter only translates.

``trl`` is an ``environment_factory`` of TRL's ``GRPOTrainer``, ``verl`` an agent loop of verl, and
``export`` writes the rows that their datasets read. Everything a model may call comes from the tool
registry. An adapter holds no rule of its own: the same actions give the same episode digest through
all of them, through ``gym.make`` and through ``gym.make_vec``.
Must not: be imported by an environment, or import a trainer before it is used.
"""
