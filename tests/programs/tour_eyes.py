"""Checks of a window for the stations of the tour: panels, colours and motion."""
import csv
import math
import time

from display import wait_until
from harness import TOOL, run

# Parts of a window: left, top, right and bottom, as fractions of its width and height.
WHOLE = (0, 0, 1, 1)
TOP_LEFT = (0, 0, 0.25, 0.3)
TOP = (0.3, 0, 0.7, 0.25)
BOTTOM_LEFT = (0, 0.5, 0.35, 1)
BOTTOM = (0, 0.7, 1, 1)
CENTRE = (0.25, 0.2, 0.75, 0.9)
RIGHT = (0.65, 0, 1, 0.95)
# The area right of the names in the body list, and the area with the locks of the server list.
END_OF_LINES = (0.96, 0.05, 0.98, 0.6)
LOCKS = (0.1, 0.1, 0.4, 0.6)
BESIDE_PANELS = (0.3, 0.15, 0.98, 0.8)

# Minimum number of dark pixels of the smallest panel, and of a failure screen.
PANEL, WIDE_PANEL = 8000, 40_000


def is_dark(red, green, blue):
    """Returns True for the colour of a panel, which is nearly opaque."""
    return max(red, green, blue) < 90


def is_red(red, green, blue):
    return red > blue + 90 and red > green + 70


def is_green(red, green, blue):
    return green > red + 40 and green > blue + 25


def is_chosen(red, green, blue):
    """Returns True for the colour of a selected line."""
    return red + 60 < blue < 130


def is_lock(red, green, blue):
    return red > 220 and 150 < green < 230 and blue < 130


def is_pink(red, green, blue):
    """Returns True for the colour of ghosts."""
    return red > green + 70 and blue > green + 40


def box_of(picture, part):
    left, top, right, bottom = part
    return (int(left * picture.width), int(top * picture.height), int(right * picture.width),
            int(bottom * picture.height))


def pixels(picture, is_wanted, part=WHOLE, step=4):
    """Returns the approximate number of matching pixels in a part."""
    return picture.count(is_wanted, *box_of(picture, part), step=step) * step * step


def line_of(picture, is_wanted, part):
    """Returns the y of the middle row of all rows that contain a matching pixel, or None."""
    left, top, right, bottom = box_of(picture, part)
    lines = [y for y in range(top, bottom) if any(is_wanted(*picture.at(x, y)) for x in range(left, right, 2))]
    return lines[len(lines) // 2] if lines else None


def changed(before, after, step=4, least=24):
    """Returns the fraction, 0 to 1, of pixels beside the panels whose colour has changed."""
    left, top, right, bottom = box_of(before, BESIDE_PANELS)
    places = [(x, y) for y in range(top, bottom, step) for x in range(left, right, step)]
    return sum(max(abs(a - b) for a, b in zip(before.at(*place), after.at(*place))) > least
               for place in places) / len(places)


def spot(picture, is_wanted, step=4):
    """Returns a matching pixel near the centre of all matching ones; None if fewer than 12 were found."""
    found = [(x, y) for y in range(picture.height // 6, picture.height * 5 // 6, step)
             for x in range(picture.width // 4, picture.width * 5 // 6, step) if is_wanted(*picture.at(x, y))]
    if len(found) < 12:
        return None
    middle = [sum(place[axis] for place in found) / len(found) for axis in (0, 1)]
    return min(found, key=lambda place: sum((a - b) ** 2 for a, b in zip(place, middle)))


def line_of_the_track(picture):
    """Returns the y of the time line of a recording, found by the blue of its played part."""
    lines = [y for y in range(picture.height * 2 // 3, picture.height)
             if all(abs(a - b) < 25 for a, b in zip(picture.at(26, y), (72, 150, 220)))]
    return lines[len(lines) // 2] if lines else None


def cover(window, key, part):
    """Presses a key and waits for the panel that it opens in a part."""
    before = pixels(window.picture(), is_dark, part)
    window.key(key)
    window.see(lambda picture: pixels(picture, is_dark, part) > before + PANEL, f"the panel that {key} opens")


def uncover(window, key, *parts):
    """Presses a key and waits until the panels in those parts are gone."""
    before = window.picture()
    window.key(key)
    window.see(lambda picture: all(pixels(picture, is_dark, part) < pixels(before, is_dark, part) - PANEL // 2
                                   for part in parts), f"{key} closes panels")


def see_panel(window, part, what, least=PANEL):
    """Waits for a panel in a part in which nothing else is dark."""
    window.see(lambda picture: pixels(picture, is_dark, part) > least, what)


def see_no_panel(window, part, what):
    window.see(lambda picture: pixels(picture, is_dark, part) < PANEL // 2, what)


def see_change(window, before, share, what):
    window.see(lambda picture: changed(before, picture) > share, what)


def see_motion(window):
    see_change(window, window.picture(), 0.0005, "something moves")


def see_still(window):
    """Waits until three pictures in a row are equal: a slow machine may draw no frame between two."""
    def is_still():
        first = window.picture()
        for _ in range(2):
            time.sleep(0.5)
            if changed(first, window.picture(), least=0) > 0:
                return False
        return True

    wait_until(is_still, "the world stands still")


def escape(window):
    """Quits with Escape, which first closes open panels."""
    for _ in range(6):
        if window.process.poll() is not None:
            return
        window.key("Escape")
        time.sleep(0.8)


def leave(window, output=""):
    """Quits with Escape and expects exit code 0 and `output` in the printed text."""
    escape(window)
    assert window.exit_code() == 0, window.output()
    assert output in window.output(), window.output()


def give_up(window, *words):
    """Quits with Escape and expects exit code 1 and a message with all `words`."""
    escape(window)
    assert window.exit_code() == 1, window.output()
    for each in words:
        assert each in window.output(), window.output()


def moved(recording, body):
    """Returns the largest distance of a body from its first position, in metres."""
    table = recording.with_suffix(".csv")
    made = run(TOOL, "export", recording, "--csv", table)
    assert made.returncode == 0, made.stderr
    with table.open(newline="") as file:
        track = [[float(row["position_" + axis]) for axis in "xyz"]
                 for row in csv.DictReader(file) if row["name"] == body]
    assert track, f"there is no {body} in the recording"
    return max(math.dist(track[0], place) for place in track)
