"""What is in force in this process: proof that a setting of the determinism matrix took effect."""

from __future__ import annotations

import locale
import time
from pathlib import Path
from typing import Any


def in_force() -> dict[str, Any]:
    """Return hash seed, encoding, zone, folder, thread counts, BLAS kernel and SIMD level as they really are."""
    import faiss
    import numpy  # noqa: F401 - loads BLAS
    from threadpoolctl import threadpool_info

    # NumPy's own OpenBLAS; FAISS brings another one.
    pools = [
        pool
        for pool in threadpool_info()
        if pool["internal_api"] == "openblas" and "numpy" in pool["filepath"]
    ]
    blas = pools[0] if pools else {}
    return {
        "hash": hash("mosaic"),
        "encoding": locale.getpreferredencoding(False),
        "zone": list(time.tzname),
        "folder": str(Path.cwd()),
        "blas": blas.get("architecture", ""),
        "blas_threads": blas.get("num_threads", 0),
        "omp_threads": faiss.omp_get_max_threads(),
        "simd": str(faiss.SIMDConfig.get_level_name()),
    }
