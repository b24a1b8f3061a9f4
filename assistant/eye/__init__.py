"""The eye: from a picture of the table to cards."""

from __future__ import annotations

import os

MAX_PIXELS = 64_000_000
"""Of one picture: a telephone's best has 50 million, and three bytes of each are held in memory."""

# OpenCV reads these once, when it is loaded: a larger picture is then refused by its header alone,
# and what its decoders complain about does not reach the player's screen.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
