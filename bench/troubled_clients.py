#!/usr/bin/env python3
"""Measures the effect of stopped, slow and minimised clients on the server's ticks: `./run bench clients`.

usage: troubled_clients.py BIN_DIR SOURCE_DIR [--scene NAME] [--rounds N] [--seconds N]

Each run has four clients. The fourth plays normally, is stopped, runs slowly or is minimised. Each round has one run
of each of these four kinds, so that other load on the machine affects all kinds alike. Prints the medians of the
server's tick statistics over all rounds.
"""
import argparse
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "programs"))
from display import Display, Window  # noqa: E402: needs the path above
from harness import VIEW, Server, environment  # noqa: E402

FIGURES = re.compile(r"(\d+) ticks \((\d+) skipped\), tick time p50 ([\d.]+) ms, p99 ([\d.]+) ms, max ([\d.]+) ms")


def client(server):
    """Starts a client without rendering, because software rendering would take CPU time from the server."""
    return subprocess.Popen([str(VIEW), f"127.0.0.1:{server.port}", "--renderer", "none", "--script", "demo"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())


def playing(server, seconds):
    fourth = client(server)
    time.sleep(seconds)
    fourth.kill()
    fourth.wait()


def stopped(server, seconds):
    fourth = client(server)
    time.sleep(2)
    fourth.send_signal(signal.SIGSTOP)
    time.sleep(seconds - 2)
    fourth.kill()
    fourth.wait()


def crawling(server, seconds):
    """Lets the client run for only 10 ms of each half second."""
    fourth = client(server)
    time.sleep(2)
    end = time.monotonic() + seconds - 2
    while time.monotonic() < end:
        fourth.send_signal(signal.SIGSTOP)
        time.sleep(0.49)
        fourth.send_signal(signal.SIGCONT)
        time.sleep(0.01)
    fourth.kill()
    fourth.wait()


def minimised(server, seconds):
    end = time.monotonic() + seconds
    with Display() as display, Window(display, f"127.0.0.1:{server.port}") as window:
        window.do("windowunmap", "--sync", window.id)
        time.sleep(max(end - time.monotonic(), 0))


KINDS = [playing, stopped, crawling, minimised]


def figures(kind, scene, seconds):
    with Server("--scene", scene) as server:
        others = [client(server) for _ in range(3)]
        kind(server, seconds)
        code, output = server.stop()
        for other in others:
            other.kill()
            other.wait()
        found = FIGURES.search(output)
        assert code == 0 and found, output
        return [float(figure) for figure in found.groups()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scene", default="crates")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args(sys.argv[3:])
    runs = {kind: [] for kind in KINDS}
    for _ in range(options.rounds):
        for kind in KINDS:
            runs[kind].append(figures(kind, options.scene, options.seconds))
    print(f"{options.scene}, {options.rounds} runs of {options.seconds:g} s each, medians")
    print(f"{'the fourth client is':22}{'ticks':>8}{'skipped':>9}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    for kind in KINDS:
        ticks, skipped, *times = (statistics.median(column) for column in zip(*runs[kind]))
        print(f"{kind.__name__:22}{ticks:8.0f}{skipped:9.0f}" + "".join(f"{one:9.2f}" for one in times))


if __name__ == "__main__":
    main()
