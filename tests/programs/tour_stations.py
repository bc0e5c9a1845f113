"""The stations of the tour: what a new user does, and how it is known that it has come about."""
import csv
import math
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from display import wait_until
from harness import CONFIG, TOOL, has_ipv6, run

STATIONS = []


@dataclass
class Station:
    name: str  # of its picture
    title: str
    sentence: str
    walk: Callable  # of a Tour, up to its `yield` for the picture; what follows is looked at after it


def station(title, sentence):
    def enter(walk):
        STATIONS.append(Station(walk.__name__.replace("_", "-"), title, sentence, walk))
        return walk
    return enter


def settle(seconds=3.0):
    """Until panels have their figures; what is drawn by software on a busy machine takes its time."""
    time.sleep(seconds)


def moved(recording, body):
    """How far from its first place a body came, in metres."""
    table = recording.with_suffix(".csv")
    made = run(TOOL, "export", recording, "--csv", table)
    assert made.returncode == 0, made.stderr
    with table.open(newline="") as file:
        track = [[float(row["position_" + axis]) for axis in "xyz"]
                 for row in csv.DictReader(file) if row["name"] == body]
    assert track, f"there is no {body} in the recording"
    return max(math.dist(track[0], place) for place in track)


def spot(picture, is_wanted, step=4):
    """A pixel that is wanted, near the middle of all that are."""
    found = [(x, y) for y in range(picture.height // 6, picture.height * 5 // 6, step)
             for x in range(picture.width // 4, picture.width * 5 // 6, step) if is_wanted(*picture.at(x, y))]
    if len(found) < 12:
        return None
    middle = [sum(place[axis] for place in found) / len(found) for axis in (0, 1)]
    return min(found, key=lambda place: sum((a - b) ** 2 for a, b in zip(place, middle)))


def is_red(red, green, blue):
    return red > blue + 90 and red > green + 70


def is_green(red, green, blue):
    return green > red + 40 and green > blue + 25


def hold_ctrl_and_pull(window, start, end):
    window.do("keydown", "ctrl")
    window.move(*start)
    settle(0.6)
    window.do("mousedown", 1)
    for part in range(1, 9):
        window.move(*(a + (b - a) * part / 8 for a, b in zip(start, end)))
        time.sleep(0.15)


def let_go(window):
    window.do("mouseup", 1)
    window.do("keyup", "ctrl")


# --- Playing ------------------------------------------------------------------------------------


@station("The first minute",
         "`./run demo`, or a server and `./run view`: a heap of crates, your ball, and **H** for help.")
def first_minute(tour):
    server = tour.serve("--scene", "crates", "--sandbox")
    window = tour.join(server)
    settle()
    window.key("h")
    settle()
    yield


LANE = """{
  "name": "lane", "description": "A ball before a wall of crates.",
  "camera": { "eye": [0, 2.2, 7], "target": [0, 0.5, 0] },
  "spawns": [{ "position": [-1.3, 0.6, 1.5] }, { "position": [1.3, 0.6, 1.5] }],
  "bodies": [
    { "name": "ground", "motion": "static", "shape": { "plane": {} } },
    { "name": "ball", "position": [0, 0.5, 0], "shape": { "sphere": { "radius": 0.5 } }, "mass": 10, "colour": "red" }
  ],
  "generators": [
    { "kind": "wall", "name": "crate", "columns": 8, "rows": 5, "position": [0, 0, -4],
      "body": { "shape": { "box": { "size": [0.8, 0.5, 0.5] } }, "colour": "wood", "density": 100 } }
  ] }"""


@station("Two windows, one world", "Ann, on the left, has clicked at the red ball; both see it roll into the wall.")
def two_windows(tour):
    scene, recording = tour.folder / "lane.scene.json", tour.folder / "lane.jrec"
    scene.write_text(LANE)
    server = tour.serve("--scene", scene, "--record", recording)
    # The second one may have come when the first was clicked into: see when both have drawn the ball.
    ann = tour.join(server, "--panels", "hud", columns=2)
    bob = tour.join(server, name="Bob", column=1, columns=2)
    for window in (ann, bob):
        window.see(lambda picture: spot(picture, is_red), "the ball")
    start = spot(bob.picture(), is_red)
    ann.focus()
    ann.click(*spot(ann.picture(), is_red))
    bob.see(lambda picture: spot(picture, is_red, 2) not in (None, start), "the ball gives way in the other window")
    settle(1.5)
    yield
    ann.key("Escape")
    server.stop()
    assert moved(recording, "ball") > 1, "the ball was not pushed"


@station("A ragdoll on a string", "Ctrl and the mouse pull a body along, through the network; a line shows where to.")
def ragdoll(tour):
    recording = tour.folder / "dolls.jrec"
    server = tour.serve("--scene", "ragdolls", "--record", recording)
    window = tour.join(server, "--camera", "0,2.6,4.6:0,0.9,0")
    settle(6)
    start = window.see(lambda picture: spot(picture, is_green), "the green figure") and spot(window.picture(), is_green)
    hold_ctrl_and_pull(window, start, (start[0] + tour.width // 8, tour.height // 6))
    settle(0.3)
    yield
    let_go(window)
    window.key("Escape")
    server.stop()
    assert re.search(r"with [1-9]\d* actions", run(TOOL, "info", recording).stdout), "nothing was pulled"


@station("Driving", "W, A, S and D drive the car; Space brakes.")
def driving(tour):
    recording = tour.folder / "cars.jrec"
    server = tour.serve("--scene", "cars", "--record", recording)
    window = tour.join(server)
    settle()
    window.key("f")
    window.do("keydown", "w")
    settle(3)
    yield
    window.do("keyup", "w")
    window.key("Escape")
    server.stop()
    assert moved(recording, "Ann") > 2, "the car has not been driven"


@station("Walking", "On foot, up stairs and ramps, with the same keys.")
def walking(tour):
    recording = tour.folder / "walk.jrec"
    server = tour.serve("--scene", "walk", "--record", recording)
    window = tour.join(server)
    settle()
    window.do("keydown", "w")
    settle(1.0)
    yield
    window.do("keyup", "w")
    window.key("Escape")
    server.stop()
    assert moved(recording, "Ann") > 1, "nobody has walked"


@station("Crates and blasts",
         "T puts a crate down under the mouse, X blasts what is there: inputs of a tick, as everything is.")
def blast(tour):
    recording = tour.folder / "tower.jrec"
    server = tour.serve("--scene", "tower", "--sandbox", "--record", recording)
    window = tour.join(server)
    settle()
    x, y = tour.middle()
    for step in range(4):
        window.move(x + tour.width // 8 + step * tour.width // 24, y + tour.height // 5)
        window.key("t")
        settle(0.4)
    window.move(x, y)
    window.key("x")
    settle(0.5)
    yield
    window.key("Escape")
    server.stop()
    assert re.search(r"with [4-9] actions", run(TOOL, "info", recording).stdout), run(TOOL, "info", recording).stdout


@station("Other scenes", "L lists the server's scenes; type to search, click or Enter to switch (with `--sandbox`).")
def scenes(tour):
    server = tour.serve("--scene", "crates", "--sandbox")
    window = tour.join(server)
    settle()
    window.key("l")
    settle()
    yield


@station("Switched", "The tower, asked for from the list.")
def switched(tour):
    server = tour.serve("--scene", "crates", "--sandbox")
    window = tour.join(server)
    settle()
    window.key("l")
    settle(1.5)
    window.do("type", "--delay", "120", "tower")
    settle(1)
    window.key("Return")
    settle(4)
    yield
    window.key("Escape")
    assert "tower" in server.stop()[1], "the scene was not switched"


# --- Looking closer -----------------------------------------------------------------------------


@station("A bad network",
         "`--net-sim 80/20/10%`: 80 ms, up to 20 ms of jitter and 10 % lost, each way. The panel says that it is "
         "simulated, and N shows what comes of it.")
def bad_network(tour):
    server = tour.serve("--scene", "cradle")
    window = tour.join(server, "--net-sim", "80/20/10%")
    window.key("n")
    settle(12)
    yield


@station("Ghosts", "K: where bodies were in the newest snapshot, beside where they are shown, which is later.")
def ghosts(tour):
    server = tour.serve("--scene", "cars")
    window = tour.join(server, "--net-sim", "60/10/2%", "--camera", "-4,5,2:-4,0.5,-6")
    settle(4)
    window.key("k")
    settle()
    yield


@station("Overlays",
         "B: contacts, impulses, joints, boxes, centres and islands of what is looked at; the server sends them on "
         "request.")
def overlays(tour):
    server = tour.serve("--scene", "joints")
    window = tour.join(server, "--overlay", "contacts,impulses,joints,boxes")
    window.key("b")
    settle(4)
    yield


@station("Bodies and their figures", "O lists all bodies by name; I shows what is under the mouse.")
def bodies(tour):
    server = tour.serve("--scene", "pendulums")
    window = tour.join(server)
    settle()
    window.key("o")
    window.key("i")
    window.move(*tour.middle())
    settle()
    yield


@station("The server's work", "M: what a tick of the server is spent on, phase by phase.")
def statistics(tour):
    server = tour.serve("--scene", "katamari")
    window = tour.join(server)
    window.key("m")
    settle(6)
    yield


@station("Seen through", "V: edges, wires, x-ray; here the gears, through each other.")
def x_ray(tour):
    server = tour.serve("--scene", "gears")
    tour.join(server, "--look", "x-ray")
    settle()
    yield


@station("Console", "`` ` `` opens a console; Tab completes, `help` lists.")
def console(tour):
    server = tour.serve("--scene", "magnets", "--sandbox")
    window = tour.join(server)
    settle()
    window.key("grave")
    settle(0.5)
    window.do("type", "--delay", "60", "help")
    window.key("Return")
    settle(0.5)
    window.do("type", "--delay", "60", "s")
    settle(0.5)
    window.key("Tab")
    settle(1)
    yield


@station("Settings", "F10: name, picture, size of letters, keys, gamepad; kept in `~/.config/jostle/view.toml`.")
def settings(tour):
    server = tour.serve("--scene", "boats")
    window = tour.join(server)
    settle()
    window.key("F10")
    settle()
    yield


@station("Everything open", "As many panels at once as there is room for.")
def everything(tour):
    server = tour.serve("--scene", "sorter", "--sandbox")
    tour.join(server, "--panels", "all")
    settle(6)
    yield


# --- Recordings ---------------------------------------------------------------------------------


@station("A recording", "`./run view a.jrec`: the bar is scrubbed with the mouse; a comma steps back.")
def replay(tour):
    recording = tour.record("a.jrec", "--scene", "tower", "--seed", "7", "--ticks", "600")
    window = tour.open(recording, "--at-tick", "500", "--summary")
    settle()
    # The track of the bar begins and ends 23 pixels from the edges of the window.
    track = wait_until(lambda: line_of_the_track(window.picture()), "the bar")
    window.move(23 + (tour.width - 46) * 250 / 600, track)
    window.do("mousedown", 1)
    settle(1)
    window.do("mouseup", 1)
    for _ in range(3):
        window.key("comma")
    settle(2)
    yield
    window.key("Escape")
    assert window.exit_code() == 0, window.output()
    tick = int(re.search(r"tick (\d+) of 0 to 600", window.output()).group(1))
    assert 240 <= tick <= 255, tick


def line_of_the_track(picture):
    lines = [y for y in range(picture.height * 2 // 3, picture.height)
             if all(abs(a - b) < 25 for a, b in zip(picture.at(26, y), (72, 150, 220)))]
    return lines[len(lines) // 2] if lines else None


@station("Two recordings compared",
         "One bit was flipped in the second: the bar marks where they part, and the other's bodies are ghosts.")
def compared(tour):
    same = ("--scene", "crates", "--seed", "7", "--ticks", "600")
    first = tour.record("a.jrec", *same)
    second = tour.record("b.jrec", *same, "--inject", "ulp:60:37:linear_velocity.y")
    tour.open(first, "--compare", second, "--at-tick", "420")
    settle(5)
    yield


@station("Lockstep", "Each end simulates; a bit was flipped here, and the report names tick, body and number.")
def desync(tour):
    server = tour.serve("--scene", "crates", "--mode", "lockstep")
    tour.join(server, "--lockstep", "--inject", "ulp:300:37:linear_velocity.y", "--record-folder", tour.folder)
    settle(10)
    yield


# --- Getting in ---------------------------------------------------------------------------------


@station("Finding servers",
         "`jostle-view --lan` lists the servers of the local network, and those where you have been. Enter joins.")
def servers(tour):
    everywhere = "[::]" if has_ipv6() else "0.0.0.0"
    tour.serve("--insecure", "--lan", "--scene", "crates", "--name", "living room", at=everywhere)
    tour.serve("--lan", "--scene", "pool", "--name", "pool at Bob's", at=everywhere)
    recent = Path(CONFIG.name) / "jostle" / "recent_servers"
    recent.parent.mkdir(parents=True, exist_ok=True)
    recent.write_text("127.0.0.1:7790\n")
    tour.open("--lan")
    settle(5)
    yield
    recent.unlink()


@station("Refused", "Who may not come in is told why, and what to do about it.")
def refused(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    tour.open(f"127.0.0.1:{server.port}")
    settle()
    yield


@station("No answer", "Nobody listens there.")
def no_answer(tour):
    tour.open("127.0.0.1:9", "--timeout", "1")
    settle(4)
    yield


@station("Full", "Every place is taken.")
def full(tour):
    server = tour.serve("--scene", "crates", "--max-players", "1")
    tour.join(server, name="Bob", columns=2)
    settle()
    tour.open(f"127.0.0.1:{server.port}", "--name", "Ann")
    settle(4)
    yield


@station("Sent away", "The token was revoked: the server says so and the client shows it.")
def sent_away(tour):
    keys = tour.folder / "keys"
    server = tour.serve("--scene", "crates", "--auth", "token", "--keys", keys)
    token = run(TOOL, "token", "issue", "--keys", keys).stdout.strip()
    tour.open(f"127.0.0.1:{server.port}", "--token", token)
    settle()
    assert run(TOOL, "token", "revoke", token, "--keys", keys).returncode == 0
    settle(5)
    yield


@station("The connection broke", "The server is silent: the client says since when, and tries again by itself.")
def reconnecting(tour):
    server = tour.serve("--scene", "tower")
    tour.join(server)
    settle()
    server.process.send_signal(signal.SIGSTOP)
    settle(14)
    yield
    server.process.send_signal(signal.SIGCONT)
