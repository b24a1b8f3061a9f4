"""All threads of a table share one malloc arena."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

HEAPS = """
import ctypes, sys, threading
from pathlib import Path
from assistant.files.process import one_heap
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.fopen.restype, libc.fopen.argtypes = ctypes.c_void_p, [ctypes.c_char_p] * 2
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
if sys.argv[2] == "one":
    assert one_heap()
met = threading.Barrier(4)
def take():
    met.wait()
    libc.malloc(1000)
    met.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
print(Path(sys.argv[1]).read_text().count("<heap nr="))
"""

glibc = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_info"), reason="glibc alone has a heap for each thread"
)


def heaps(tmp_path: object, how: str) -> int:
    command = [sys.executable, "-c", HEAPS, f"{tmp_path}/heaps.xml", how]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@glibc
def test_the_threads_of_a_table_share_one_arena(tmp_path: object) -> None:
    assert heaps(tmp_path, "one") == 1


@glibc
def test_without_the_limit_each_thread_has_its_own_arena(tmp_path: object) -> None:
    assert heaps(tmp_path, "many") > 1
