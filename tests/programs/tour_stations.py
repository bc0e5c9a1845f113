"""The stations of the tour: actions of a new user, and checks of their effects."""
import re
import time
from dataclasses import dataclass
from typing import Callable

from display import wait_until
from harness import TOOL, run
from tour_eyes import (BOTTOM, BOTTOM_LEFT, CENTRE, END_OF_LINES, RIGHT, TOP_LEFT, changed, cover, is_chosen,
                       is_green, is_pink, is_red, leave, line_of, line_of_the_track, moved, pixels, see_change,
                       see_motion, see_still, spot, uncover)

STATIONS = []


@dataclass
class Station:
    name: str  # file name of its picture
    title: str
    sentence: str
    # generator function of a Tour: yields when the picture can be taken, then checks the effects
    walk: Callable


def station(title, sentence):
    def enter(walk):
        STATIONS.append(Station(walk.__name__.replace("_", "-"), title, sentence, walk))
        return walk
    return enter


def settle(seconds=3.0):
    """Waits long enough for panels to show their figures, even with software rendering on a busy machine."""
    time.sleep(seconds)


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


def type_line(window, words):
    """Types a line into the console."""
    window.do("type", "--delay", "60", words)
    window.key("Return")


# --- Playing ------------------------------------------------------------------------------------


@station("The first minute",
         "`./run demo`, or a server and `./run view`: a pile of crates, your ball, and **H** for help.")
def first_minute(tour):
    server = tour.serve("--scene", "crates", "--sandbox")
    window = tour.join(server)
    settle()
    cover(window, "h", CENTRE)
    yield
    uncover(window, "h", CENTRE)
    leave(window)
    assert "client joined" in server.stop()[1], "no client has joined"


LANE = """{
  "name": "lane", "description": "A ball in front of a wall of crates.",
  "camera": { "eye": [0, 2.2, 7], "target": [0, 0.5, 0] },
  "spawns": [{ "position": [-1.3, 0.6, 1.5] }, { "position": [1.3, 0.6, 1.5] }],
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": "ball", "position": [0, 0.5, 0], "shape": { "sphere": { "radius": 0.5 } }, "mass": 10, "colour": "red" }
  ],
  "generators": [
    { "kind": "wall", "name": "crate", "columns": 8, "rows": 5, "position": [0, 0, -4],
      "body": { "shape": { "box": { "size": [0.8, 0.5, 0.5] } }, "colour": "wood", "density": 100 } }
  ] }"""


@station("Two windows, one world", "Ann, on the left, has clicked the red ball; both see it roll into the wall.")
def two_windows(tour):
    scene, recording = tour.folder / "lane.scene.json", tour.folder / "lane.jrec"
    scene.write_text(LANE)
    server = tour.serve("--scene", scene, "--record", recording)
    # Wait until both windows show the ball. Otherwise the second window could start after the click
    # in the first.
    ann = tour.join(server, "--panels", "hud", columns=2)
    bob = tour.join(server, name="Bob", column=1, columns=2)
    for window in (ann, bob):
        window.see(lambda picture: spot(picture, is_red), "the ball")
    start = spot(bob.picture(), is_red)
    ann.focus()
    ann.click(*spot(ann.picture(), is_red))
    bob.see(lambda picture: spot(picture, is_red, 2) not in (None, start), "the ball moves in the other window")
    settle(1.5)
    yield
    ann.key("Escape")
    server.stop()
    assert moved(recording, "ball") > 1, "the ball was not pushed"


@station("Dragging a ragdoll", "Ctrl and the mouse drag a body over the network; a line shows the target.")
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
    assert re.search(r"with [1-9]\d* actions?", run(TOOL, "info", recording).stdout), "no body was dragged"


def get_about(tour, scene, seconds, least):
    """Moves forward for `seconds` and expects at least `least` metres of motion."""
    recording = tour.folder / "about.jrec"
    server = tour.serve("--scene", scene, "--record", recording)
    window = tour.join(server)
    settle()
    window.do("keydown", "w")
    settle(seconds)
    yield
    window.do("keyup", "w")
    window.key("Escape")
    server.stop()
    assert moved(recording, "Ann") > least, "the player has not moved"


@station("Driving", "W, A, S and D drive the car; Space brakes.")
def driving(tour):
    return get_about(tour, "cars", seconds=3, least=2)


@station("Walking", "The same keys walk, also up stairs and ramps.")
def walking(tour):
    return get_about(tour, "walk", seconds=1, least=1)


@station("Crates and blasts",
         "T spawns a crate under the cursor, X triggers a blast there.")
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
    cover(window, "l", RIGHT)
    settle()
    yield
    uncover(window, "Escape", RIGHT)
    leave(window)
    assert "scene loaded" not in server.stop()[1], "the scene was switched without a request"


@station("Paused",
         "**P** pauses the world, `.` steps one tick, `-` slows down time (with `--sandbox`); here a cradle, "
         "paused in its swing.")
def paused(tour):
    recording = tour.folder / "cradle.jrec"
    server = tour.serve("--scene", "cradle", "--sandbox", "--record", recording)
    window = tour.join(server)
    see_motion(window)
    window.key("minus")
    window.key("p")
    see_still(window)
    before = window.picture()
    window.key("period")
    window.see(lambda picture: changed(before, picture, 1, 4) > 0, "the step")
    see_still(window)
    yield
    window.key("p")
    see_motion(window)
    leave(window)
    server.stop()
    assert " 4 controls" in run(TOOL, "info", recording).stdout, run(TOOL, "info", recording).stdout


@station("Following", "F makes the camera follow your ball, figure or car; C makes it fly freely.")
def following(tour):
    server = tour.serve("--scene", "crates")
    window = tour.join(server)
    settle()
    before = window.picture()
    window.key("f")
    see_change(window, before, 0.2, "the camera moves to the ball")
    before = window.picture()
    window.do("keydown", "w")
    see_change(window, before, 0.2, "the camera follows the ball")
    yield
    window.do("keyup", "w")
    window.key("c")
    # In mode follow, Space would make the ball jump, and the ball would stay in view.
    before = pixels(window.picture(), is_red, step=2)
    window.do("keydown", "space")
    window.see(lambda picture: pixels(picture, is_red, step=2) < before / 10, "the camera flies up")
    window.do("keyup", "space")
    leave(window)


@station("Scene switched", "The tower, chosen from the list of scenes.")
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
    assert "scene loaded scene=tower" in server.stop()[1], "the scene was not switched"


# --- Looking closer -----------------------------------------------------------------------------


@station("A bad network",
         "`--net-sim 80/20/10%`: 80 ms, up to 20 ms of jitter and 10 % packet loss, each way. The panel says that it "
         "is simulated, and N shows the net graph.")
def bad_network(tour):
    server = tour.serve("--scene", "cradle")
    window = tour.join(server, "--net-sim", "80/20/10%", "--summary")
    cover(window, "n", BOTTOM_LEFT)
    settle(12)
    yield
    leave(window, "SIMULATED NETWORK")
    round_trip, loss = re.search(r"RTT ([\d.]+) ms.* packet loss ([\d.]+) %", window.output()).groups()
    assert float(round_trip) > 120 and float(loss) > 1, window.output()


@station("Ghosts", "K shows bodies of the newest snapshot beside the displayed ones, which lag behind.")
def ghosts(tour):
    server = tour.serve("--scene", "pendulums")
    window = tour.join(server, "--net-sim", "60/40/2%")
    settle(4)
    before = pixels(window.picture(), is_pink, step=2)
    window.key("k")
    window.see(lambda picture: pixels(picture, is_pink, step=2) > before + 200, "ghosts")
    yield
    window.key("k")
    window.see(lambda picture: pixels(picture, is_pink, step=2) < before + 100, "no ghosts")


@station("Debug draw",
         "B opens the layers of the debug draw: AABBs, contacts, impulses, joints, centres of mass, velocities and "
         "islands near the camera. The server sends them on request.")
def overlays(tour):
    server = tour.serve("--scene", "joints")
    window = tour.join(server, "--debug-draw", "contacts,impulses,joints,aabbs")
    cover(window, "b", TOP_LEFT)
    settle(4)
    yield
    before = pixels(window.picture(), is_red, step=2)
    cover(window, "grave", BOTTOM)
    type_line(window, "debug-draw none")
    uncover(window, "grave", BOTTOM)
    window.see(lambda picture: pixels(picture, is_red, step=2) < before - 200, "the joints without their red lines")


@station("Body list and inspector",
         "O lists all bodies by name; I selects the body under the cursor and shows its motion, its mass and the size "
         "of its island.")
def bodies(tour):
    server = tour.serve("--scene", "pendulums")
    window = tour.join(server)
    settle()
    cover(window, "o", RIGHT)

    def choose_what_swings():
        """Presses I over a green body. Returns True if the list shows a swinging body as selected. May fail, because
        the body moves between picture and key press."""
        place = spot(window.picture(), is_green)
        if place:
            window.move(*place)
            window.key("i")
        # The first two lines are the ground and the beam.
        return (line_of(window.picture(), is_chosen, END_OF_LINES) or 0) > tour.height * 0.12

    wait_until(choose_what_swings, "the selected line of a swinging body")
    settle()
    yield
    uncover(window, "o", RIGHT)
    leave(window)


@station("Server statistics", "M shows the time of a server tick, phase by phase.")
def statistics(tour):
    server = tour.serve("--scene", "katamari")
    window = tour.join(server)
    cover(window, "m", RIGHT)
    settle(6)
    yield
    uncover(window, "m", RIGHT)
    leave(window)


@station("X-ray",
         "V selects the next draw mode: solid, edges, wireframe or x-ray. Here the gears are visible through each other.")
def x_ray(tour):
    server = tour.serve("--scene", "gears")
    window = tour.join(server)
    settle()
    solid = window.picture()
    window.key("v", "v")
    see_change(window, solid, 0.25, "the wireframe")
    wires = window.picture()
    window.key("v")
    see_change(window, wires, 0.1, "the x-ray mode")
    yield
    window.key("v")
    window.see(lambda picture: changed(solid, picture) < 0.1, "the plate hides the gears again")
    leave(window)


@station("Console", "`` ` `` opens a console; Tab completes, `help` lists all commands.")
def console(tour):
    recording = tour.folder / "magnets.jrec"
    server = tour.serve("--scene", "magnets", "--sandbox", "--record", recording)
    window = tour.join(server)
    settle()
    cover(window, "grave", BOTTOM)
    type_line(window, "help")
    settle(1.5)  # wait until the text field has the focus again
    window.do("type", "--delay", "60", "s")
    settle(0.5)
    window.key("Tab")
    settle(1)
    yield
    window.key("BackSpace")
    type_line(window, "gravity off")
    settle(1.5)
    type_line(window, "quit")
    assert window.exit_code() == 0, window.output()
    server.stop()
    assert " 1 control\n" in run(TOOL, "info", recording).stdout, run(TOOL, "info", recording).stdout


@station("Settings",
         "F10 opens the settings: name, graphics, UI scale, keys and gamepad. The file is "
         "`~/.config/jostle/view.toml`.")
def settings(tour):
    server = tour.serve("--scene", "boats")
    window = tour.join(server)
    settle()
    cover(window, "F10", CENTRE)
    settle()
    yield
    uncover(window, "Escape", CENTRE)
    leave(window)


@station("All panels", "As many panels as fit side by side (`--panels all`).")
def everything(tour):
    server = tour.serve("--scene", "sorter", "--sandbox")
    window = tour.join(server, "--panels", "all")
    settle(6)
    yield
    window.key("Escape")  # closes the scene list, which would take the other keys
    uncover(window, "Tab", TOP_LEFT, BOTTOM_LEFT, RIGHT)
    uncover(window, "h", CENTRE)
    leave(window)


# --- Recordings ---------------------------------------------------------------------------------


@station("Playing a recording", "`./run view a.jrec`: drag the time line with the mouse; a comma steps back.")
def replay(tour):
    recording = tour.record("a.jrec", "--scene", "tower", "--seed", "7", "--ticks", "600")
    window = tour.open(recording, "--at-tick", "500", "--summary")
    settle()
    # The time line begins and ends 23 pixels from the edges of the window.
    track = wait_until(lambda: line_of_the_track(window.picture()), "the time line")
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


@station("Comparing two recordings",
         "`--compare`: one bit was flipped in the second recording. The time line marks the ticks that differ, and the "
         "bodies of the second recording are ghosts.")
def compared(tour):
    same = ("--scene", "crates", "--seed", "7", "--ticks", "600")
    first = tour.record("a.jrec", *same)
    second = tour.record("b.jrec", *same, "--inject", "ulp:60:37:linear_velocity.y")
    window = tour.open(first, "--compare", second, "--at-tick", "420", "--summary")
    settle(5)
    yield
    leave(window)
    assert int(re.search(r"(\d+) bodies differ", window.output()).group(1)) > 20, window.output()


@station("Desync in lockstep",
         "Server and client simulate the same ticks. A bit was flipped in this client, and the report names tick, body "
         "and number.")
def desync(tour):
    server = tour.serve("--scene", "crates", "--mode", "lockstep")
    window = tour.join(server, "--lockstep", "--inject", "ulp:300:37:linear_velocity.y", "--record-folder",
                       tour.folder)
    wait_until(lambda: "DESYNC" in window.output(), "the report")
    settle()
    yield
    window.key("Escape")
    window.exit_code()
    report = r'DESYNC: .*tick 300\b.*body 37 "plank_8".*linear_velocity\.y'
    assert re.search(report, window.output(), re.DOTALL), window.output()
    assert list(tour.folder.glob("desync-Ann-*-tick*.jrec")), "no recording of the desync was saved"
