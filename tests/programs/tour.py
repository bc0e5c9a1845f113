#!/usr/bin/env python3
"""Drives jostle-view as a new user would, with real windows, keys and a mouse; saves a picture of each screen.

usage: tour.py BIN_DIR SOURCE_DIR OUT_DIR [--size WIDTHxHEIGHT]... [STATION...]
       tour.py BIN_DIR SOURCE_DIR --list   prints the names of the stations

Writes OUT_DIR/WIDTHxHEIGHT/NAME.png for each station, or for the named ones. Also writes OUT_DIR/README.md, which
shows the pictures of the first size. Each station checks the effect of its actions; the tour exits with 1 if any
check fails.
"""
import argparse
import contextlib
import subprocess
import sys
import tempfile
import textwrap
import time
import traceback
from pathlib import Path

from display import PROGRAMS, Display, Window, missing
from harness import TOOL, Server, run
import tour_getting_in  # noqa: F401: it adds the last stations
from tour_stations import STATIONS

QUALITY = ("--fps", "30", "--shadows", "low", "--antialiasing", "off")
# Reduces the file size to a third: 256 colours without dithering.
PALETTE = ("+dither", "-colors", "256", "-strip", "-define", "png:compression-level=9")


class Tour:
    """A display with the servers and windows of a station; they end with the `with` block."""

    def __init__(self, size):
        self.width, self.height = (int(number) for number in size.split("x"))
        self.stack = contextlib.ExitStack()
        self.windows = []

    def __enter__(self):
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.display = self.stack.enter_context(Display(f"{self.width}x{self.height}"))
        return self

    def __exit__(self, *_):
        self.stack.close()

    def serve(self, *options, at="127.0.0.1", port=0):
        return self.stack.enter_context(Server(*options, at=at, port=port, log="info"))

    def open(self, *options, column=0, columns=1):
        """Opens a window that covers the display, or one of several columns."""
        width = self.width // columns
        window = self.stack.enter_context(
            Window(self.display, "--no-settings", *options, size=f"{width}x{self.height}", cwd=self.folder,
                   at=(column * width, 0), quality=QUALITY))
        window.see(lambda picture: len(set(picture.bytes[::999])) > 20, "the first picture")
        self.windows.append(window)
        return window

    def join(self, server, *options, name="Ann", column=0, columns=1):
        return self.open(f"127.0.0.1:{server.port}", "--name", name, *options, column=column, columns=columns)

    def middle(self, columns=1):
        """Returns the middle of a window, in pixels from its top left corner."""
        return self.width // columns // 2, self.height // 2

    def record(self, name, *options):
        path = self.folder / name
        made = run(TOOL, "record", "--players", "2", *options, "-o", path)
        assert made.returncode == 0, made.stderr
        return path


def visit(station, size, out):
    """Runs a station. Returns True if its picture was saved and its checks passed."""
    try:
        with Tour(size) as tour:
            steps = station.walk(tour)
            next(steps)
            file = out / size / f"{station.name}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            tour.display.keep_picture(file)
            subprocess.run(["mogrify", *PALETTE, str(file)], check=True)
            for window in tour.windows:
                assert window.process.poll() is None, f"a window is gone: {window.output()}"
            for _ in steps:
                raise AssertionError("a station must yield once")
        return True
    except Exception:  # the other stations are still visited
        traceback.print_exc()
        return False


def wrapped(text):
    return textwrap.fill(text, width=120, break_long_words=False, break_on_hyphens=False)


def write_page(out, sizes):
    first, *others = sizes
    lines = ["# Tour", "", wrapped(
        "This page shows the client `jostle-view` in pictures, for players: playing, looking closer, recordings, and "
        "joining a server. [GETTING_STARTED.md](../GETTING_STARTED.md) has the commands, and "
        "[SETTINGS.md](../SETTINGS.md) lists all keys. `./run tour` takes the pictures with real windows, keys and a "
        "mouse on a virtual display, and writes this page.")]
    for station in STATIONS:
        links = "".join(f" [{size}]({size}/{station.name}.png)" for size in others)
        lines += ["", f"## {station.title}", "", wrapped(station.sentence + links), "",
                  f"![{station.title}]({first}/{station.name}.png)"]
    (out / "README.md").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--size", action="append")
    parser.add_argument("station", nargs="*")
    options = parser.parse_intermixed_args(sys.argv[3:])
    if options.list:
        print("\n".join(station.name for station in STATIONS))
        return
    if options.out is None:
        sys.exit(__doc__)
    if missing:
        sys.exit(f"{', '.join(missing)} missing, of {', '.join(PROGRAMS)}: apt-get install xvfb xdotool imagemagick")
    unknown = set(options.station) - {station.name for station in STATIONS}
    if unknown:
        sys.exit(f"no such station: {', '.join(sorted(unknown))}")
    sizes = options.size or ["1280x720"]
    failed = 0
    for size in sizes:
        for station in STATIONS:
            if options.station and station.name not in options.station:
                continue
            began = time.monotonic()
            is_good = visit(station, size, options.out)
            failed += not is_good
            print(f"{size:10} {station.name:16} {'seen' if is_good else 'FAILED'} {time.monotonic() - began:6.1f} s",
                  flush=True)
    write_page(options.out, sizes)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
