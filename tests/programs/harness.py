"""Shared parts of the program tests. The command line of a test gives the folders: BIN_DIR SOURCE_DIR."""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BIN = Path(sys.argv[1])
SOURCE = Path(sys.argv[2])
SERVER, TOOL, VIEW = BIN / "jostled", BIN / "jostle", BIN / "jostle-view"
# The config folder of all programs under test; it is deleted after the tests.
CONFIG = tempfile.TemporaryDirectory(prefix="jostle_config_")


# Programs under test inherit ignored signals, for example from nohup.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Deadline of every wait, in seconds. It is far beyond the time that a loaded machine takes.
PATIENCE = 300


def environment(**more):
    own = {**os.environ, "JOSTLE_SCENES": str(SOURCE / "scenes"), "XDG_CONFIG_HOME": CONFIG.name, **more}
    for name in ("JOSTLE_TOKEN", "JOSTLE_RUN"):
        if name not in more:
            own.pop(name, None)
    return own


def run(*command, timeout=PATIENCE, env=None, cwd=None):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          timeout=timeout, env=environment(**(env or {})), cwd=cwd)


def play(port, *options, ticks=120):
    """Runs bots until all of them have played for this number of the server's ticks, however long that takes."""
    return run(TOOL, "bots", "--port", port, "--ticks", ticks, "--seconds", PATIENCE, *options, timeout=2 * PATIENCE)


def build_stalled_disk(folder):
    """Builds the library for LD_PRELOAD that stalls the disk while the file STALL_FILE exists."""
    library = folder / "stalled_disk.so"
    source = Path(__file__).with_name("stalled_disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def wait_until(is_done):
    """Returns whether the condition holds before PATIENCE is over."""
    end = time.monotonic() + PATIENCE
    while not is_done() and time.monotonic() < end:
        time.sleep(0.02)
    return is_done()


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = unittest.skipUnless(has_ipv6(), "::1 cannot be bound: this machine has no IPv6")


class Server:
    """A jostled on a free port, for a `with` block; `at` is the address that it must print."""

    def __init__(self, *options, port=0, at="127.0.0.1", log="warn", cwd=None):
        self.process = subprocess.Popen(
            [str(SERVER), "--port", str(port), "--log", log, *map(str, options)],
            # The pipe is unbuffered. Otherwise readline() could also consume output after the first
            # line, and stop() could not return it.
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0, env=environment(), cwd=cwd)
        line = self.process.stdout.readline().decode()
        self.line = line
        found = re.search("listening at " + re.escape(at) + r":(\d+)$", line)
        assert found, line
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def stop(self, sig=signal.SIGTERM):
        self.process.send_signal(sig)
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output.decode()
