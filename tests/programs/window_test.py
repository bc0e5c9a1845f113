#!/usr/bin/env python3
"""Tests jostle-view in a real window, with simulated keys and a simulated mouse.

usage: window_test.py BIN_DIR SOURCE_DIR
"""
import csv
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

from display import Display, Window, needs_display, wait_until
from harness import PATIENCE, TOOL, Server, run

# A red crate in the middle of the picture, a sphere that swings without end, and a player behind
# the camera.
STAGE = """{
  "name": "stage", "camera": { "eye": [0, 3, 7], "target": [0, 0.5, 0] },
  "spawns": [{ "position": [0, 0.6, 30] }],
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} }, "colour": "#9AA39A" },
    { "name": "crate", "position": [0, 0.5, 0], "shape": { "box": { "size": [1, 1, 1] } }, "mass": 20, "colour": "red" },
    { "name": "swing", "motion_type": "kinematic", "position": [0, 1.2, -4], "shape": { "sphere": { "radius": 0.6 } },
      "colour": "blue", "kinematic_motion": { "amplitude": [4, 0, 0], "period": 2 } }
  ] }"""
WIDTH, HEIGHT = 640, 360
MIDDLE = (WIDTH // 2, HEIGHT // 2)


def is_crate(red, green, blue):
    """Returns True for red pixels: lit, in the shade, or highlighted because the crate is grabbed."""
    return red > blue + 60


def is_crate_in_the_middle(picture):
    return is_crate(*picture.at(*MIDDLE))


class StageServer(Server):
    """A server that runs the stage and records it."""

    def __init__(self, folder):
        self.scene, self.recording = Path(folder) / "stage.scene.json", Path(folder) / "run.jrec"
        self.scene.write_text(STAGE)
        super().__init__("--scene", self.scene, "--sandbox", "--record", self.recording, log="info")

    def crate(self):
        """Returns the position of the crate in each tick. The server must have stopped."""
        table = self.recording.with_suffix(".csv")
        made = run(TOOL, "export", self.recording, "--csv", table)
        assert made.returncode == 0, made.stderr
        with table.open(newline="") as file:
            return [tuple(float(row["position_" + axis]) for axis in "xyz")
                    for row in csv.DictReader(file) if row["name"] == "crate"]


@needs_display
class LiveWindow(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.display = self.enterContext(Display())
        self.server = self.enterContext(StageServer(self.folder))

    def open(self, *options, size=f"{WIDTH}x{HEIGHT}"):
        address = f"127.0.0.1:{self.server.port}"
        window = self.enterContext(
            Window(self.display, address, "--name", "Ann", *options, size=size, cwd=self.folder))
        window.see(lambda picture: is_crate(*picture.at(picture.width // 2, picture.height // 2)),
                   "the first picture of the world")
        return window

    def stop_server(self):
        code, output = self.server.stop()
        self.assertEqual(code, 0, output)
        return output

    def recorded_once_closed(self, window):
        """Closes window and server, and returns the output of `jostle info` for the recording."""
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())
        self.stop_server()
        return run(TOOL, "info", self.server.recording).stdout

    def test_window_connects_shows_the_world_and_leaves_when_closed(self):
        window = self.open()
        self.assertEqual(window.title(), "jostle - 127.0.0.1 - Ann")
        # The status panel covers the ground.
        window.see(lambda picture: max(picture.at(16, 100)) < 90, "the status panel")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())
        output = self.stop_server()
        self.assertRegex(output, "client joined .*name=Ann")
        self.assertRegex(output, "client left .*")

    def test_a_click_pushes_the_body_under_it(self):
        window = self.open("--no-hud")
        window.click(*MIDDLE)
        window.see(lambda picture: not is_crate_in_the_middle(picture), "the crate moves away")
        window.key("Escape")
        self.assertEqual(window.exit_code(), 0, window.output())
        self.stop_server()
        places = self.server.crate()
        self.assertLess(places[-1][2], places[0][2] - 0.3, "pushed away from the eye")
        self.assertIn("with 1 action,", run(TOOL, "info", self.server.recording).stdout)

    def test_ctrl_and_mouse_drag_a_body(self):
        window = self.open("--no-hud")
        window.do("keydown", "ctrl")
        window.move(*MIDDLE)
        # A body that can be grabbed is highlighted.
        window.see(lambda picture: picture.at(*MIDDLE)[1] > 60, "the crate is highlighted under the cursor")
        window.do("mousedown", 1)
        up = MIDDLE[1] - 90
        for y in range(MIDDLE[1], up - 1, -15):
            window.move(MIDDLE[0], y)
        lifted = lambda picture: picture.count(is_crate, MIDDLE[0] - 60, up - 30, MIDDLE[0] + 60, up + 30) > 100
        window.see(lifted, "the crate hangs where it was dragged")
        window.do("mouseup", 1)
        window.do("keyup", "ctrl")
        window.see(lambda picture: not lifted(picture), "the crate falls once it is released")
        window.key("Escape")
        self.assertEqual(window.exit_code(), 0, window.output())
        self.stop_server()
        self.assertGreater(max(y for _, y, _ in self.server.crate()), 1.5)

    def test_p_pauses_and_resumes(self):
        window = self.open("--panels", "none")
        looks_alike = []

        def changes():
            """Returns True if two pictures differ that are taken a quarter of a swing apart."""
            before = window.picture().bytes
            time.sleep(0.5)
            looks_alike.append(window.picture().bytes == before)
            return not looks_alike[-1]

        def stands():
            """Returns True if three pairs in a row were equal: a slow machine may draw no frame between two."""
            changes()
            return len(looks_alike) >= 3 and all(looks_alike[-3:])

        wait_until(changes, "the swing moves")
        looks_alike.clear()
        window.key("p")
        wait_until(stands, "the world stands still")
        window.key("p")
        wait_until(changes, "the world goes on")
        window.key("Escape")
        self.assertEqual(window.exit_code(), 0, window.output())
        self.stop_server()
        self.assertIn(" 2 controls", run(TOOL, "info", self.server.recording).stdout)

    def test_one_client_can_resume_what_another_has_paused(self):
        ann = self.open("--panels", "none")
        bob = self.enterContext(Window(self.display, f"127.0.0.1:{self.server.port}", "--name", "Bob", "--panels",
                                       "none", cwd=self.folder, at=(0, 400)))
        bob.see(is_crate_in_the_middle, "the world in the other window")

        def changes():
            before = bob.picture().bytes
            time.sleep(0.5)
            return bob.picture().bytes != before

        wait_until(changes, "the swing moves")
        ann.focus()
        ann.key("p")
        # A slow machine may draw no frame between two pictures.
        wait_until(lambda: not any(changes() for _ in range(3)), "the world stands still for both")
        bob.focus()
        bob.key("p")
        wait_until(changes, "the world goes on with the first press")
        bob.key("Escape")
        self.assertEqual(bob.exit_code(), 0, bob.output())

    def test_keys_after_a_notice_are_typed_into_the_console(self):
        window = self.open("--panels", "hud")
        window.key("grave")
        window.see(lambda picture: max(picture.at(WIDTH // 2, HEIGHT - 60)) < 90, "the console")
        for line in ("scene no_such", "rate 200"):
            window.do("type", "--delay", "60", line)
            window.key("Return")
            time.sleep(2)
        # Type faster than frames are drawn.
        lines = ("rate 50", "rate 300", "rate 100")
        window.do(*(word for line in lines for word in ("type", "--delay", 5, "--args", 1, line, "key", "Return")))
        time.sleep(2)
        # If these letters had been used as key bindings, they would have reset the world, spawned
        # crates and triggered blasts.
        told = self.recorded_once_closed(window)
        self.assertIn(" 4 controls", told)
        self.assertIn("with 0 actions", told)

    def test_a_click_in_the_world_does_not_take_keys_from_the_console(self):
        window = self.open("--panels", "none")
        window.key("grave")
        window.see(lambda picture: max(picture.at(WIDTH // 2, HEIGHT - 60)) < 90, "the console")
        window.do("type", "--delay", 60, "rate ")
        window.move(WIDTH // 2, 20)
        window.do("mousedown", 1)
        time.sleep(0.3)
        window.do("mouseup", 1)
        window.do("type", "--delay", 60, "--args", 1, "200", "key", "Return")
        time.sleep(2)
        self.assertIn(" 1 control\n", self.recorded_once_closed(window))

    def test_a_console_line_is_kept_while_another_field_is_used(self):
        window = self.open("--panels", "bodies")
        window.key("grave")
        window.see(lambda picture: max(picture.at(WIDTH // 2, HEIGHT - 60)) < 90, "the console")
        window.do("type", "--delay", 60, "rate 2")
        window.click(WIDTH - 150, 24)  # the search field for bodies
        time.sleep(0.5)
        window.do("type", "--delay", 60, "cr")
        time.sleep(0.5)
        window.click(20, 20)  # the world
        time.sleep(0.5)
        window.do("type", "--delay", 60, "--args", 1, "00", "key", "Return")
        time.sleep(2)
        self.assertIn(" 1 control\n", self.recorded_once_closed(window))

    def open_list(self, window):
        """Opens the scene list. Returns a check that the list is visible and its middle line is not highlighted."""
        place = WIDTH - 40, 150
        # Keys have no effect before the world is loaded. Until then the background is the blue sky, not the ground.
        window.see(lambda picture: picture.at(*place)[1] > picture.at(*place)[2] + 5, "the ground")
        window.key("l")
        is_list = lambda picture: max(picture.at(*place)) < 110
        window.see(is_list, "the list of scenes")
        return is_list

    def test_a_pointer_outside_of_the_window_highlights_nothing(self):
        server = self.enterContext(Server("--scene", "tower", "--sandbox"))
        window = self.enterContext(
            Window(self.display, f"127.0.0.1:{server.port}", "--panels", "none", cwd=self.folder))
        is_list = self.open_list(window)
        window.move(WIDTH - 100, 150)
        window.see(lambda picture: not is_list(picture), "the line under the pointer is highlighted")
        # The line would be at this position if the window were still at its initial position, in
        # the middle.
        width, height = map(int, self.display.size.split("x"))
        window.move((width - WIDTH) // 2 + WIDTH - 240, (height - HEIGHT) // 2 + 165)
        window.see(is_list, "no line is highlighted")
        time.sleep(1)
        self.assertTrue(is_list(window.picture()), "no line is highlighted a second later")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())

    def test_keys_control_the_scene_list_only_while_it_is_visible(self):
        # The server makes no recording, because a recording contains only one scene.
        server = self.enterContext(Server("--scene", "tower", "--sandbox", log="info"))
        window = self.enterContext(
            Window(self.display, f"127.0.0.1:{server.port}", "--panels", "none", cwd=self.folder))
        is_list = self.open_list(window)
        for key in ("Escape", "h", "l", "Down", "Return"):
            window.key(key)
            time.sleep(0.7)
        window.key("h")
        window.see(is_list, "the list, without the help")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())
        self.assertNotIn("scene loaded", server.stop()[1])

    def test_function_keys_work_while_a_text_field_is_active(self):
        server = self.enterContext(Server("--scene", "tower", "--sandbox"))
        window = self.enterContext(
            Window(self.display, f"127.0.0.1:{server.port}", "--panels", "none", cwd=self.folder))
        self.open_list(window)
        window.do("type", "--delay", 60, "to")
        is_panel = lambda picture: max(picture.at(WIDTH // 2 - 40, HEIGHT // 2)) < 110
        self.assertFalse(is_panel(window.picture()))
        window.key("F10")
        window.see(is_panel, "the settings")
        window.key("F12")
        wait_until(lambda: list(Path(self.folder).glob("jostle-*.png")), "a screenshot")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())

    def test_a_window_hidden_while_its_console_opens_recovers(self):
        window = self.open("--panels", "none")
        window.do("key", "grave", "h", "windowunmap", window.id)
        time.sleep(1.5)
        window.do("windowmap", "--sync", window.id)
        window.focus()
        window.see(lambda picture: max(picture.at(WIDTH // 2, HEIGHT - 60)) < 90, "the console")
        window.key("Escape")
        window.see(is_crate_in_the_middle, "the world without the console")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())

    def test_a_hidden_window_keeps_playing_but_draws_nothing(self):
        window = self.open("--frames", "120")
        window.do("windowunmap", "--sync", window.id)
        time.sleep(10)  # long enough to draw all 120 frames
        self.assertIsNone(window.process.poll(), "it drew frames although the window was hidden")
        window.do("windowmap", "--sync", window.id)
        self.assertEqual(window.exit_code(), 0, window.output())
        self.assertNotRegex(self.stop_server(), "timed out|lost")

    def test_picture_and_panels_follow_the_window_size(self):
        window = self.open("--panels", "hud,scenes", size="720x300")
        # In the narrow window the list covers the crate.
        for width, height, has_room in ((900, 360, True), (400, 240, False), (720, 300, True)):
            window.do("windowsize", window.id, width, height)

            def fits(picture):
                """Returns True if the scene list ends 12 pixels from the right edge, and the status panel is at the left
                if there is room."""
                if (picture.width, picture.height) != (width, height):
                    return False
                panel, ground = picture.at(width - 20, 40), picture.at(width - 5, 40)
                return max(panel) + 60 < max(ground) and (max(picture.at(16, 100)) < 90) == has_room

            window.see(fits, f"picture and panels of {width} x {height}")
            if has_room:
                window.see(lambda picture: is_crate(*picture.at(width // 2, height // 2)),
                           f"the crate in the middle of {width} x {height}")
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())


@needs_display
class FailureScreens(unittest.TestCase):
    def test_an_unknown_host_name_opens_a_failure_screen(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        display = self.enterContext(Display())
        # Names that end in ".invalid" never resolve (RFC 6761).
        window = self.enterContext(Window(display, "nowhere.invalid", cwd=folder))
        is_dark = lambda picture: max(picture.at(WIDTH // 2, HEIGHT // 2)) < 110 < min(picture.at(4, HEIGHT - 4))
        window.see(is_dark, "the failure screen")
        window.key("r")
        window.see(is_dark, "the failure screen after another attempt")
        window.key("Escape")
        self.assertEqual(window.exit_code(), 1)
        self.assertIn("jostle-view: cannot resolve the server name 'nowhere.invalid'", window.output())


@needs_display
class Shooting(unittest.TestCase):
    def test_a_click_shoots_a_ball_in_the_balls_scene(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        recording = folder / "balls.jrec"
        with Display() as display, Server("--scene", "balls", "--record", recording) as server:
            with Window(display, f"127.0.0.1:{server.port}", cwd=folder) as window:
                window.see(lambda picture: len(set(picture.bytes[::99])) > 30, "the balls")
                window.click(*MIDDLE)
                time.sleep(1)
                window.ask_to_close()
                self.assertEqual(window.exit_code(), 0, window.output())
            server.stop()
        self.assertIn("with 1 action,", run(TOOL, "info", recording).stdout)
        table = folder / "balls.csv"
        self.assertEqual(run(TOOL, "export", recording, "--csv", table).returncode, 0)
        with table.open(newline="") as file:
            self.assertTrue(any(row["name"] == "shot" for row in csv.DictReader(file)), "no ball was shot")


@needs_display
class RecordingWindow(unittest.TestCase):
    TICKS = 400

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.display = self.enterContext(Display())
        scene, recording = self.folder / "stage.scene.json", self.folder / "a.jrec"
        scene.write_text(STAGE)
        made = run(TOOL, "record", "--scene", scene, "--players", "2", "--ticks", str(self.TICKS), "-o", recording)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.window = self.enterContext(
            Window(self.display, recording, "--at-tick", "20", "--panels", "hud", "--summary", size="640x360",
                   cwd=self.folder))

    def shown_tick(self):
        """Takes a screenshot and returns the tick in the name of its file."""
        for old in self.folder.glob("jostle-*.png"):
            old.unlink()

        def take_one():
            self.window.key("F12")
            return list(self.folder.glob("jostle-*.png"))

        found = wait_until(take_one, "a screenshot")
        return int(re.fullmatch(r"jostle-(\d+)(-\d+)?\.png", found[0].name).group(1))

    def line_of_the_track(self):
        """Returns the y of the time line, found by the blue of its played part."""
        def find():
            picture = self.window.picture()
            lines = [y for y in range(picture.height * 2 // 3, picture.height)
                     if all(abs(a - b) < 25 for a, b in zip(picture.at(26, y), (72, 150, 220)))]
            return lines[len(lines) // 2] if lines else None
        return wait_until(find, "the time line of the recording")

    def field_of_ticks(self, track):
        """Returns the position of the tick field: the longest run of its colour in the line of buttons."""
        picture = self.window.picture()
        best, middle = 0, None
        for y in range(track + 15, min(track + 45, picture.height)):
            length = 0
            for x in range(picture.width):
                red, _, blue = picture.at(x, y)
                length = length + 1 if 30 < blue - red < 62 else 0
                if length > best:
                    best, middle = length, (x - length // 2, y)
        self.assertGreater(best, 40, "no tick field found")
        return middle

    def test_a_recording_seeks_by_mouse_and_by_typed_tick(self):
        window = self.window
        track = self.line_of_the_track()
        self.assertEqual(self.shown_tick(), 20)

        def take_another():
            window.key("F12")
            return (self.folder / "jostle-20.png").exists() and (self.folder / "jostle-20-2.png").exists()

        wait_until(take_another, "a second picture of the tick beside the first")

        # The track begins and ends 23 pixels from the edges.
        def x_of(tick):
            return 23 + (640 - 46) * tick / self.TICKS

        window.move(x_of(100), track)
        window.do("mousedown", 1)
        window.see(lambda picture: picture.at(x_of(60), track)[2] > 190, "the time line follows the mouse")
        window.move(x_of(300), track)
        wait_until(lambda: abs(self.shown_tick() - 300) <= 2, "the tick under the mouse is shown")
        window.do("mouseup", 1)

        field = self.field_of_ticks(track)

        def type_tick():
            # Typing is repeated, because a busy machine may activate the field only after the first
            # keys.
            window.click(*field)
            window.key("ctrl+a")
            window.do("type", "123")
            window.key("Return")
            # Wait for the effect of these keys before typing again. Otherwise keys that are still queued would mix
            # with the new ones.
            end = time.monotonic() + PATIENCE / 5
            while self.shown_tick() != 123:
                if time.monotonic() > end:
                    return False
                time.sleep(0.1)
            return True

        wait_until(type_tick, "the tick that was typed is shown")
        window.key("Escape")
        self.assertEqual(window.exit_code(), 0, window.output())
        self.assertIn(f"tick 123 of 0 to {self.TICKS}", window.output())
        self.assertIn("as recorded", window.output())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
