"""A virtual display, and a window of jostle-view in it with simulated keys, mouse and screenshots.

Nothing here waits for a fixed time: each wait has a visible condition and a deadline far beyond the time that a
loaded machine takes. The error names the condition that was not met.
"""
import ctypes
import os
import re
import shutil
import subprocess
import threading
import time
import unittest

from harness import PATIENCE, VIEW, environment

PROGRAMS = ("Xvfb", "xdotool", "import")
missing = [name for name in PROGRAMS if shutil.which(name) is None]
needs_display = unittest.skipIf(
    missing, f"{', '.join(missing)} missing: apt-get install xvfb xdotool imagemagick")


def wait_until(condition, what):
    """Waits until the condition is true and returns its value."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"not seen within {PATIENCE} s: {what}")
        time.sleep(0.05)


class Picture:
    """Pixels of a window as displayed."""

    def __init__(self, ppm):
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
        assert head, ppm[:40]
        self.width, self.height = int(head.group(1)), int(head.group(2))
        self.bytes = ppm[head.end():]

    def at(self, x, y):
        start = 3 * (int(y) * self.width + int(x))
        return tuple(self.bytes[start:start + 3])

    def count(self, is_wanted, left=0, top=0, right=None, bottom=None, step=2):
        """Returns the number of matching pixels in an area, testing every step-th one in each direction."""
        return sum(is_wanted(*self.at(x, y)) for y in range(top, bottom or self.height, step)
                   for x in range(left, right or self.width, step))


class Display:
    """Xvfb on a free display number, for a `with` block."""

    def __init__(self, size="1024x800"):
        self.size = size

    def __enter__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{self.size}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb does not start"
        self.name = f":{number}"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def do(self, *words, check=True):
        """Runs an xdotool command line and returns the words of its output."""
        done = subprocess.run(["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": self.name},
                              capture_output=True, text=True, timeout=PATIENCE)
        assert not check or done.returncode == 0, (words, done.stderr)
        return done.stdout.split()

    def keep_picture(self, file):
        """Saves the whole display as a PNG."""
        subprocess.run(["import", "-window", "root", "-depth", "8", str(file)], check=True, timeout=PATIENCE,
                       env={**os.environ, "DISPLAY": self.name})


class Window:
    """A jostle-view with a window and software rendering, for a `with` block."""
    QUICK = ("--fps", "20", "--shadows", "off")

    def __init__(self, display, *options, size="640x360", cwd=None, at=(0, 0), quality=QUICK):
        self.display = display
        self.lines = []
        self.process = subprocess.Popen(
            [str(VIEW.resolve()), *map(str, options), "--renderer", "gl", "--size", size, *quality],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd,
            env=environment(DISPLAY=display.name, SDL_VIDEODRIVER="x11", LIBGL_ALWAYS_SOFTWARE="1",
                            SDL_AUDIODRIVER="dummy"))
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()
        self.id = wait_until(self.find, "a window of jostle-view")
        # Without a window manager, the window must be placed and focused here.
        self.do("windowmove", self.id, *at)
        self.focus()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def find(self):
        assert self.process.poll() is None, "".join(self.lines)
        found = self.display.do("search", "--all", "--onlyvisible", "--pid", self.process.pid, "--name", "^jostle",
                                check=False)
        return found[0] if found else None

    def focus(self):
        self.do("windowfocus", "--sync", self.id)

    def do(self, *words):
        return self.display.do(*words)

    def title(self):
        return " ".join(self.do("getwindowname", self.id))

    def key(self, *names):
        self.do("key", *names)

    def move(self, x, y):
        self.do("mousemove", "--window", self.id, int(x), int(y))

    def click(self, x, y):
        self.move(x, y)
        self.do("click", 1)

    def picture(self):
        assert self.process.poll() is None, "".join(self.lines)
        shot = subprocess.run(["import", "-window", self.id, "-depth", "8", "ppm:-"], capture_output=True,
                              env={**os.environ, "DISPLAY": self.display.name}, timeout=PATIENCE)
        assert shot.returncode == 0, shot.stderr
        return Picture(shot.stdout)

    def see(self, is_seen, what):
        """Waits for a picture that meets the condition and returns it."""
        def look():
            picture = self.picture()
            return picture if is_seen(picture) else None
        return wait_until(look, what)

    def ask_to_close(self):
        """Sends the request that a window manager sends when its user closes the window."""
        close_window(self.display.name, int(self.id))

    def exit_code(self):
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join()
        return code

    def output(self):
        return "".join(self.lines)


class ClientMessage(ctypes.Structure):
    """XClientMessageEvent, padded to the size of XEvent."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 12)]


def close_window(display_name, window):
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(display_name.encode())
    assert display, display_name
    client_message = 33
    event = ClientMessage(type=client_message, window=window, format=32,
                          message_type=x11.XInternAtom(display, b"WM_PROTOCOLS", 0))
    event.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(display)
