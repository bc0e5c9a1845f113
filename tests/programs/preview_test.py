#!/usr/bin/env python3
"""Tests the preview of a scene file: `jostle-view FILE.scene.json`.

usage: preview_test.py BIN_DIR SOURCE_DIR
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from display import Display, Window, needs_display, wait_until
from harness import PATIENCE, VIEW, environment

WIDTH, HEIGHT = 640, 360
MIDDLE = (WIDTH // 2, HEIGHT // 2)


def scene(colour, eye=(0, 3, 7)):
    """Returns the text of a scene with a crate in the middle of the picture and a player behind the camera."""
    return f"""{{
  "name": "stage", "camera": {{ "eye": {list(eye)}, "target": [0, 0.5, 0] }},
  "spawns": [{{ "position": [0, 0.6, 30] }}],
  "bodies": [
    {{ "name": "ground", "motion_type": "static", "shape": {{ "plane": {{}} }}, "colour": "#9AA39A" }},
    {{ "name": "crate", "position": [0, 0.5, 0], "shape": {{ "box": {{ "size": [1, 1, 1] }} }}, "colour": "{colour}" }}
  ] }}"""


WRONG = '{\n  "name": "stage",\n  "spwans": []\n}'
WRONG_AT = 'my.scene.json:3:3: unknown field: spwans; did you mean "spawns"?'


def is_red(red, green, blue):
    return red > green + 60 and red > blue + 60


def is_blue(red, green, blue):
    return blue > red + 60 and blue > green + 30


class PreviewTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "my.scene.json"

    def save_by_rename(self, text):
        other = self.folder / "my.scene.json.new"
        other.write_text(text)
        os.replace(other, self.file)


class OffscreenPreview(PreviewTest):
    def view(self, *options):
        return subprocess.run([str(VIEW.resolve()), "my.scene.json", "--no-settings", *options], cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE, env=environment())

    def test_offscreen_draws_the_file(self):
        self.file.write_text(scene("red"))
        done = self.view("--offscreen", "--frames", "5", "--size", "160x90", "--screenshot", "a.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "a.png").exists())

    def test_the_written_files_are_reported_with_their_content_and_size(self):
        self.file.write_text(scene("red"))
        (self.folder / "frames").mkdir()
        done = self.view("--offscreen", "--frames", "3", "--size", "160x90", "--screenshot", "a.png",
                         "--hash-log", "hashes.txt", "--video-frames", "frames")
        self.assertEqual(done.returncode, 0, done.stderr)
        size = (self.folder / "a.png").stat().st_size
        self.assertIn(f"jostle-view: wrote a.png: 160 x 90 pixels, {size} bytes\n", done.stdout)
        self.assertIn("jostle-view: wrote frames/frame-000001.png to frames/frame-000003.png: 3 frames\n", done.stdout)
        self.assertEqual(len(list((self.folder / "frames").iterdir())), 3)
        hashes = (self.folder / "hashes.txt").read_text()
        lines = "1 line" if hashes.count("\n") == 1 else f"{hashes.count(chr(10))} lines"
        self.assertIn(f"jostle-view: wrote hashes.txt: {lines}, {len(hashes)} bytes\n", done.stdout)

    def test_offscreen_ends_with_code_2_if_the_file_is_wrong(self):
        self.file.write_text(WRONG)
        done = self.view("--offscreen", "--frames", "5")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"jostle-view: {WRONG_AT}\n")

    def test_offscreen_ends_with_code_2_if_the_file_is_missing(self):
        done = self.view("--offscreen", "--frames", "5")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "jostle-view: scene 'my.scene.json': no such file or directory\n")

    def test_the_clients_prediction_works_if_the_scene_and_its_file_have_different_names(self):
        self.file.write_text(scene("red"))
        done = self.view("--renderer", "none", "--duration", "2", "--predict")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("no prediction", done.stdout)

    def test_options_for_servers_are_refused(self):
        done = self.view("--scene", "crates")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--scene applies to servers, not to the preview of a scene file", done.stderr)


@needs_display
class PreviewWindow(PreviewTest):
    def setUp(self):
        super().setUp()
        self.display = self.enterContext(Display())

    def open(self, *options):
        return self.enterContext(Window(self.display, "my.scene.json", *options, size=f"{WIDTH}x{HEIGHT}",
                                        cwd=self.folder))

    def see_crate(self, window, is_crate, what):
        return window.see(lambda picture: is_crate(*picture.at(*MIDDLE)), what)

    def has_error_panel(self, picture):
        """Returns True if the lower edge, where the ground is otherwise, shows the panel and its red title."""
        lower = dict(left=20, right=WIDTH - 20, top=HEIGHT - 110, bottom=HEIGHT - 14)
        dark = picture.count(lambda *rgb: max(rgb) < 60, **lower)
        red = picture.count(is_red, step=1, **lower)
        return dark > 5000 and red > 20

    def close(self, window):
        window.ask_to_close()
        self.assertEqual(window.exit_code(), 0, window.output())

    def test_a_saved_file_is_shown_without_moving_the_camera(self):
        self.file.write_text(scene("red"))
        window = self.open("--no-hud")
        self.assertEqual(window.title(), "jostle - my.scene.json")
        near = self.see_crate(window, is_red, "the crate").count(is_red)
        window.move(MIDDLE[0], 40)
        for _ in range(8):
            window.do("click", 5)  # zooms out
        far = window.see(lambda picture: 0 < picture.count(is_red) < near / 2, "a smaller crate").count(is_red)
        self.save_by_rename(scene("blue"))
        shown = self.see_crate(window, is_blue, "the crate with its new colour")
        self.assertLess(shown.count(is_blue), near / 2, f"the camera stays away: {far} pixels before")
        self.file.write_text(scene("red", eye=(0, 30, 70)))
        window.see(lambda picture: 0 < picture.count(is_red, step=1) < 100, "the picture of the new camera")
        self.assertEqual(window.output().count("jostle-view: loaded my.scene.json\n"), 2)
        self.close(window)

    def test_an_error_is_shown_until_it_is_mended_while_the_world_continues(self):
        self.file.write_text(scene("red"))
        window = self.open()
        picture = self.see_crate(window, is_red, "the crate")
        self.assertFalse(self.has_error_panel(picture))
        self.file.write_text(WRONG)
        picture = window.see(self.has_error_panel, "the error")
        self.assertTrue(is_red(*picture.at(*MIDDLE)), "the last valid world")
        wait_until(lambda: WRONG_AT in window.output(), "the error in the terminal")
        self.save_by_rename(scene("blue"))
        self.assertFalse(self.has_error_panel(self.see_crate(window, is_blue, "the mended file")))
        self.close(window)

    def test_a_file_that_is_wrong_at_the_start_is_shown_once_it_is_mended(self):
        self.file.write_text(WRONG)
        window = self.open()
        window.see(self.has_error_panel, "the error")
        self.file.write_text(scene("red"))
        self.assertFalse(self.has_error_panel(self.see_crate(window, is_red, "the mended file")))
        self.close(window)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
