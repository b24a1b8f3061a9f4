"""Numbers in rows: sound, cepstra, weights."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
