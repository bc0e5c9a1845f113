#!/usr/bin/env python3
"""Runs real processes over real sockets on bad links: `./run bench links` and `./run test --full links`.

usage: real_links.py BIN_DIR SOURCE_DIR [--runs N] [--jobs N] [--only hitches|predict]

hitches: a server stands still for 0.5, 1.5, 2.1 and 5 s while a player and a spectator are connected. The longest runs
of ticks that the two miss at the hitch, as their hash logs show, may differ by two ticks. On a busy machine, clients
also miss ticks without a hitch. The runs may differ by that many ticks more.

predict: a plain and a predicting player join the same server, each over a link of 200 ms, 20 ms of jitter and 30 % of
loss each way, in the scenes crates, walk and ragdolls. The interpolation delay of the predicting player may be 1.2
times that of the plain one.

Both compare clients that run at the same time, so that other load on the machine affects them alike. Exits with 1 if
a run exceeds its limit.
"""
import argparse
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "programs"))
from harness import PATIENCE, VIEW, Server, environment, wait_until  # noqa: E402: needs the path above

HITCHES_S = [0.5, 1.5, 2.1, 5]
MAX_TICKS_APART = 2
SCENES = ["crates", "walk", "ragdolls"]
NETWORK = "200/20/30%"
MAX_DELAY_RATIO = 1.2
SETTLED_TICKS = 120  # ticks of a hash log before the hitch
AFTER_TICKS = 180  # and after it
HITCH_TICKS = 60  # ticks after the stop within which a missed run belongs to the hitch
PLAY_S = 20  # duration of a run with prediction
DELAY = re.compile(r"interpolation delay ([\d.]+) ms")


def view(server, *options, **streams):
    return subprocess.Popen([str(VIEW), f"127.0.0.1:{server.port}", "--renderer", "none", "--timeout", "60", *options],
                            env=environment(), **streams)


def ticks(log):
    """Returns the ticks in a hash log; the last line may be incomplete."""
    if not log.exists():
        return []
    return [int(line.split()[0]) for line in log.read_text().splitlines()[:-1]]


def longest_gap(numbers):
    return max((after - before for before, after in zip(numbers, numbers[1:])), default=1) - 1


def hitch(seconds):
    """Returns by how many ticks the longest runs of missed ticks of the player and of the spectator differ, less the
    longest run without a hitch."""
    with tempfile.TemporaryDirectory() as folder, Server("--scene", "crates", "--reconnect-window", "600") as server:
        logs = [Path(folder) / "player", Path(folder) / "spectator"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        clients = [view(server, "--script", "demo", "--hash-log", logs[0], **quiet),
                   view(server, "--spectate", "--hash-log", logs[1], **quiet)]
        try:
            assert wait_until(lambda: all(len(ticks(log)) > SETTLED_TICKS for log in logs)), "the clients do not play"
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            stopped_at = [ticks(log)[-1] for log in logs]
            server.process.send_signal(signal.SIGCONT)
            assert wait_until(lambda: all(ticks(log)[-1] > at + AFTER_TICKS for log, at in zip(logs, stopped_at))), \
                "the clients do not play on"
        finally:
            for client in clients:
                client.kill()
                client.wait()
        # The first ticks are those of the join.
        kept = [[tick for tick in ticks(log) if tick > at - SETTLED_TICKS // 2] for log, at in zip(logs, stopped_at)]
        at_hitch = [longest_gap([tick for tick in one if tick <= at + HITCH_TICKS]) for one, at in zip(kept, stopped_at)]
        usual = [max(longest_gap([tick for tick in one if tick <= at]),
                     longest_gap([tick for tick in one if tick > at + HITCH_TICKS]))
                 for one, at in zip(kept, stopped_at)]
        return max(abs(at_hitch[0] - at_hitch[1]) - max(usual), 0)


def delays(scene):
    """Returns the interpolation delays of the plain and of the predicting player, ms."""
    with Server("--scene", scene) as server:
        common = ["--script", "demo", "--net-sim", NETWORK, "--duration", str(PLAY_S), "--summary"]
        clients = [view(server, *common, *more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                   for more in ([], ["--predict"])]
        found = []
        for client in clients:
            output, _ = client.communicate(timeout=PATIENCE)
            delay = DELAY.search(output)
            assert client.returncode == 0 and delay, output
            found.append(float(delay.group(1)))
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=4, help="runs at the same time")
    parser.add_argument("--only", choices=["hitches", "predict"])
    options = parser.parse_args(sys.argv[3:])
    failures = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        if options.only != "predict":
            print(f"| server stopped, s | runs within {MAX_TICKS_APART} ticks | most ticks apart |\n|---|---|---|")
            for seconds in HITCHES_S:
                apart = list(pool.map(hitch, [seconds] * options.runs))
                good = sum(one <= MAX_TICKS_APART for one in apart)
                failures += options.runs - good
                print(f"| {seconds:g} | {good} of {options.runs} | {max(apart)} |", flush=True)
        if options.only != "hitches":
            print(f"| scene, {NETWORK} | runs within {MAX_DELAY_RATIO} times | largest ratio | largest delay, ms |\n"
                  "|---|---|---|---|")
            for scene in SCENES:
                found = list(pool.map(delays, [scene] * options.runs))
                ratios = [predicting / plain for plain, predicting in found]
                good = sum(ratio <= MAX_DELAY_RATIO for ratio in ratios)
                failures += options.runs - good
                print(f"| {scene} | {good} of {options.runs} | {max(ratios):.2f} | "
                      f"{max(predicting for _, predicting in found):.0f} |", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
