"""Where other devices of the local network find the page, and that as a QR code."""

from __future__ import annotations

import socket

import cv2
import numpy as np

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737)."""


def own_address() -> str:
    """This machine's address in its network, or its name where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # picks a route; with UDP nothing is sent
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def qr_svg(text: str) -> str:
    """A QR code that fits any size, with the quiet rim that readers need."""
    modules = np.asarray(cv2.QRCodeEncoder.create().encode(text)) == 0
    size = len(modules)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules).tolist())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>'
        f'<path d="{dark}"/></svg>'
    )
