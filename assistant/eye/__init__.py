"""The eye: from pictures of the table to the cards that each player shows."""

from __future__ import annotations

import os

MAX_PIXELS = 64_000_000
"""The most pixels of a picture: a telephone's best has 50 million, at three bytes each in
memory."""

# OpenCV reads these once, when it is loaded. Then it refuses a larger picture by its header alone,
# and its decoders' messages do not reach the player's screen.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
