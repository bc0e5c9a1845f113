#!/usr/bin/env python3
"""Tests of scripts/rename_scene_keys.py. usage: rename_scene_keys_test.py SOURCE_DIR"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE_DIR = Path(sys.argv.pop(1))


class RenameSceneKeys(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "a.scene.json"

    def tearDown(self):
        self.folder.cleanup()

    def convert(self, content, *options):
        self.file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return subprocess.run([sys.executable, SOURCE_DIR / "scripts/rename_scene_keys.py", *options, self.file],
                              capture_output=True, text=True, check=False)

    def assert_unchanged(self, content, reason):
        result = self.convert(content)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, f"^{self.file}: {reason}")
        self.assertEqual(self.file.read_bytes(), content if isinstance(content, bytes) else content.encode())

    def test_renames_keys_and_kinds_and_keeps_everything_else(self):
        result = self.convert('\ufeff// "motion": a comment\n{"bodies": [{ "motion" :"static", "name": "motion"}],\n'
                              ' "fields": [{"kind": "pole"}]}\n')
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, f"{self.file}: 3 names renamed\n")
        self.assertEqual(self.file.read_text(encoding="utf-8"),
                         '\ufeff// "motion": a comment\n{"bodies": [{ "motion_type" :"static", "name": "motion"}],\n'
                         ' "force_fields": [{"kind": "point_charge"}]}\n')
        again = self.convert(self.file.read_bytes())
        self.assertEqual((again.returncode, again.stdout), (0, f"{self.file}: 0 names renamed\n"))

    def test_check_writes_nothing(self):
        old = '{"pushes": []}'
        result = self.convert(old, "--check")
        self.assertEqual((result.returncode, result.stdout), (1, f"{self.file}: 1 name to rename\n"))
        self.assertEqual(self.file.read_text(), old)
        result = self.convert('{"actuators": []}', "--check")
        self.assertEqual((result.returncode, result.stdout), (0, f"{self.file}: 0 names to rename\n"))

    def test_refuses_an_object_with_the_old_and_the_new_key(self):
        for keys in ('"motion": "static", "motion_type": "static"', '"motion_type": "static", "motion": "static"'):
            self.assert_unchanged('{"bodies": [{}, {\n' + keys + "}]}", 'line 2: an object has both "motion')
        result = self.convert('{"bodies": [{"motion": "static"}, {"motion_type": "static"}]}')
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_refuses_files_that_are_not_scenes(self):
        self.assert_unchanged(b'{"name": "\xff", "pushes": []}', "not UTF-8: invalid byte at offset 10")
        for text in ("", "// nothing", "[]", "3", '"motion"', "pushes: 3"):
            self.assert_unchanged(text, "not a scene: a scene is a JSON object")
        self.assert_unchanged('{"pushes": [}', "line 1: unexpected }")
        self.assert_unchanged('{"pushes": [', "the file ends within an object or a list")
        self.file = Path(self.folder.name)
        result = subprocess.run([sys.executable, SOURCE_DIR / "scripts/rename_scene_keys.py", self.file],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be read", result.stderr)


if __name__ == "__main__":
    unittest.main()
