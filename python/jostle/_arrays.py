"""NumPy arrays from arguments."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._values import refuse_type

Array = NDArray[Any]


def rows_of_3(values: Any, name: str, kind: Any, rows: Optional[int] = None) -> Array:
    """Returns an array of shape (n, 3), or (rows, 3), with elements of a type."""
    accepted = f"({'n' if rows is None else rows}, 3)"
    try:
        array = np.ascontiguousarray(values, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        refuse_type(name, values, f"an array of numbers with the shape {accepted}")
    if array.ndim != 2 or array.shape[1] != 3 or (rows is not None and len(array) != rows):
        raise ValueError(f"{name} has the shape {array.shape}; accepted: {accepted}")
    return array
