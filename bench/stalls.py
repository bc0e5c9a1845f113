#!/usr/bin/env python3
"""Measures the ticks of a server while its log pipe or its disk stalls: `./run bench stalls`.

usage: stalls.py BIN_DIR SOURCE_DIR [--scene NAME] [--bots N] [--stall SECONDS] [--rounds N] [--bodies N]

Each round starts a server with a state folder, a recording and a hash log, lets bots play for ten seconds, and stalls
one output. A round without a stall shows what the machine itself adds. The server logs the duration of every tick.
With the right to do so, the server runs with a real-time priority, so that other programs do not delay its ticks.

With --bodies, a bot requests a scene of that many bodies instead, and the figures are those of the ticks until the
switch, of the switch itself and of the ten seconds after it.
"""
import argparse
import fcntl
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "programs"))
from harness import SERVER, TOOL, build_stalled_disk, environment  # noqa: E402: needs the path above

F_SETPIPE_SZ = 1031  # fcntl.F_SETPIPE_SZ of Python 3.10
TICK = re.compile(r"info status tick=(\d+) ticks=(\d+) skipped=(\d+) .* longest_ms=([\d.e+-]+)")


def take_priority():
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        print("no real-time priority: other programs may delay ticks", file=sys.stderr)


class Server:
    """A server whose log is read unless `is_stalled` is set."""

    def __init__(self, folder, library, scene, *more, scenes=None):
        self.stall_file = folder / "stall"
        self.is_stalled = threading.Event()
        self.lines = []
        reader, writer = os.pipe()
        fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
        self.process = subprocess.Popen(
            [str(SERVER), "--port", "0", "--scene", scene, "--state", str(folder / "state"),
             "--record", str(folder / "run.jrec"), "--hash-log", str(folder / "hashes"), "--log-status", "0.001", *more],
            stdout=writer, stderr=writer, preexec_fn=take_priority,
            env=environment(LD_PRELOAD=str(library), STALL_FILE=str(self.stall_file),
                            **({"JOSTLE_SCENES": str(scenes)} if scenes else {})))
        os.close(writer)
        self.thread = threading.Thread(target=self.read, args=(os.fdopen(reader, "r"),))
        self.thread.start()
        while not (found := re.search(r"listening at [^ ]*:(\d+)", "\n".join(self.lines))):
            time.sleep(0.05)
        self.port = int(found.group(1))

    def read(self, pipe):
        for line in pipe:
            self.lines.append(line.rstrip("\n"))
            while self.is_stalled.is_set():
                time.sleep(0.01)

    def ticks(self):
        """Returns the duration in ms of each tick."""
        found = [TICK.match(line) for line in list(self.lines)]
        return {int(tick[1]): float(tick[4]) for tick in found if tick}

    def skipped(self):
        return sum(int(tick[3]) for line in self.lines if (tick := TICK.match(line)))

    def newest_tick(self):
        return max(self.ticks())

    def switch_tick(self):
        """Returns the tick in which the server switched to another scene; 0 before."""
        lines = list(self.lines)
        switch = next((i for i, line in enumerate(lines) if "scene loaded" in line), len(lines))
        return next((int(tick[1]) for line in lines[switch:] if (tick := TICK.match(line))), 0)

    def longest_lag(self):
        """Returns the largest number of ticks that were not durable yet."""
        tick, longest = 0, 0
        for line in self.lines:
            if found := TICK.match(line):
                tick = int(found[1])
            elif found := re.match(r"info journal .* durable_tick=(\d+)", line):
                longest = max(longest, tick - int(found[1]))
        return longest

    def end(self):
        self.process.terminate()
        code = self.process.wait()
        self.thread.join()
        if code != 0:
            print("\n".join(self.lines[-3:]), file=sys.stderr)


def measure(kind, library, arguments):
    """Returns the p99 and the longest tick before the stall, the longest during it, skipped and not durable ticks."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name), library, arguments.scene)
        bots = subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--clients", str(arguments.bots),
                                 "--seconds", "600"], stdout=subprocess.DEVNULL, env=environment())
        time.sleep(4)  # until all have joined and have the scene
        begin = server.newest_tick()
        time.sleep(10)
        stall_begin = server.newest_tick()
        if kind == "disk":
            server.stall_file.touch()
        elif kind == "log":
            server.is_stalled.set()
        time.sleep(arguments.stall)
        # The log tells the newest tick only when it is read again.
        stall_end = stall_begin + int(60 * arguments.stall)
        server.stall_file.unlink(missing_ok=True)
        server.is_stalled.clear()
        time.sleep(2)
        bots.kill()
        bots.wait()
        server.end()
        ticks = server.ticks()
        before = sorted(ticks[tick] for tick in range(begin, stall_begin))
        during = [ticks[tick] for tick in range(stall_begin, stall_end)]
        return before[int(0.99 * len(before))], max(before), max(during), server.skipped(), server.longest_lag()


def large_scene(bodies):
    """Returns a scene with up to 9,000 moving crates on shelves that do not move."""
    side, moving = 100, min(9_000, bodies // 2)
    shelves = bodies - moving - 1
    return {
        "name": "large",
        "bodies": [{"name": "ground", "motion_type": "static", "shape": {"plane": {}}}],
        "templates": [{"name": "crate", "shape": {"box": {"size": [0.8, 0.8, 0.8]}}}],
        "generators": [
            {"kind": "grid", "name": "crates", "counts": [moving // side, 1, side], "spacing": [1.5, 1.5, 1.5],
             "position": [0, 0.4, 0], "body": {"template": "crate"}},
            {"kind": "grid", "name": "shelves", "counts": [shelves // side, 1, side], "spacing": [1.5, 1.5, 1.5],
             "position": [0, 9, 0], "body": {"template": "crate", "motion_type": "static"}}],
        "spawns": [{"position": [0, 2, 0]}]}


def measure_load(library, arguments):
    """Returns the durations in ms of ticks: p99 and longest before the load, longest of the load, the switch, later."""
    with tempfile.TemporaryDirectory() as name:
        scenes = Path(name) / "scenes"
        scenes.mkdir()
        (scenes / "large.scene.json").write_text(json.dumps(large_scene(arguments.bodies)))
        scene = Path(arguments.source) / "scenes" / f"{arguments.scene}.scene.json"
        server = Server(Path(name), library, str(scene), "--sandbox", scenes=scenes)

        def bots(*more):
            return subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--seconds", "600", *more],
                                    stdout=subprocess.DEVNULL, env=environment())

        players = bots("--clients", str(arguments.bots))
        time.sleep(4)
        begin = server.newest_tick()
        time.sleep(10)
        chooser = bots("--clients", "1", "--load-scene", "large")
        load_begin = server.newest_tick()
        while not server.switch_tick():
            if server.process.poll() is not None or players.poll() is not None:
                sys.exit("\n".join(server.lines[-20:]))
            time.sleep(0.1)
        switch_tick = server.switch_tick()
        time.sleep(10)
        for process in (players, chooser):
            process.kill()
            process.wait()
        server.end()
        ticks = server.ticks()
        before = sorted(ticks[tick] for tick in range(begin, load_begin))
        during = [ticks[tick] for tick in range(load_begin, switch_tick)]
        after = [ms for tick, ms in ticks.items() if tick > switch_tick]
        return (before[int(0.99 * len(before))], max(before), len(during), max(during), ticks[switch_tick],
                max(after), statistics.median(after))


def print_loads(library, arguments):
    found = []
    for _ in range(arguments.rounds):
        found.append(measure_load(library, arguments))
        print(" ".join(f"{figure:g}" for figure in found[-1]), file=sys.stderr)
    names = ("p99 before", "longest before", "ticks of the load", "longest of the load", "switch", "longest after",
             "median after")
    for figure, column in zip(names, zip(*found)):
        print(f"{figure:20} {statistics.median(column):8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("source")
    parser.add_argument("--scene", default="pyramid")
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--stall", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bodies", type=int, default=0)
    arguments = parser.parse_args()
    found = {kind: [] for kind in ("none", "log", "disk")}
    with tempfile.TemporaryDirectory() as name:
        library = build_stalled_disk(Path(name))
        if arguments.bodies:
            return print_loads(library, arguments)
        for _ in range(arguments.rounds):
            for kind, figures in found.items():
                figures.append(measure(kind, library, arguments))
                print(f"{kind:5} " + " ".join(f"{figure:g}" for figure in figures[-1]), file=sys.stderr)
    print("stalled  p99 before, ms  longest before, ms  longest during, ms  quotient  skipped ticks  ticks not durable")
    for kind, figures in found.items():
        p99, before, during, skipped, lag = (statistics.median(column) for column in zip(*figures))
        print(f"{kind:7}  {p99:14.2f}  {before:18.2f}  {during:18.2f}  {during / p99:8.2f}  {skipped:13.0f}  {lag:17.0f}")


if __name__ == "__main__":
    main()
