"""Lets ``python -m mosaic_env.cli`` work like ``mosaic``."""

import sys

from mosaic_env.cli import main

sys.exit(main())
