"""Training of the bundled joint encoder. Needs the extra ``train`` (torch); nothing imports it at run time."""
