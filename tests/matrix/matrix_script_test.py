"""matrix_script_test.py PROGRAM SOURCE: tests tools/matrix/matrix. Two cells use this build's
jostle-matrix; tests then change the results of one."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
CELLS = "x86-64-g++-O2", "x86-64-clang++-O2"
UNIT = "{cell}.t{threads}.plain.gallery"


def matrix(*words):
    return subprocess.run([sys.executable, SOURCE / "tools/matrix/matrix", *map(str, words)],
                          capture_output=True, text=True, check=False)


class Matrix(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for part in ("programs", "units"):
            (self.folder / part).mkdir()
        for cell in CELLS:
            shutil.copy2(PROGRAM, self.folder / "programs" / cell)
            for threads in (1, 2):
                self.unit(cell, threads).write_text(
                    f"#cell {cell}\ngallery/cradle 1 90 {threads} plain\n", encoding="ascii")

    def unit(self, cell, threads):
        return self.folder / "units" / (UNIT.format(cell=cell, threads=threads) + ".unit")

    def result(self, cell, threads):
        return self.folder / "results" / (UNIT.format(cell=cell, threads=threads) + ".out")

    def run_all(self):
        return matrix("run", *sorted((self.folder / "units").glob("*.unit")))

    def test_the_program_says_why_it_cannot_read_a_file(self):
        refused = subprocess.run([PROGRAM, "/no/such"], capture_output=True, text=True)
        self.assertEqual((refused.returncode, refused.stderr),
                         (2, "jostle-matrix: cannot read '/no/such': No such file or directory\n"))

    def test_the_program_refuses_folders_and_wrong_arguments(self):
        hint = " (see jostle-matrix --help)\n"
        for arguments, error in (
                ([self.folder], f"cannot read '{self.folder}': Is a directory\n"),
                (["--foo"], "unknown option '--foo'" + hint),
                ([self.unit(CELLS[0], 1), "--foo"], "unknown option '--foo'" + hint),
                (["--list", "foo"], "--list must be the only argument" + hint),
                (["--version", "--list"], "--version must be the only argument" + hint)):
            with self.subTest(arguments=arguments):
                refused = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
                self.assertEqual((refused.returncode, refused.stdout, refused.stderr), (2, "", "jostle-matrix: " + error))

    def test_merge_reports_that_equal_builds_agree(self):
        self.assertEqual(self.run_all().returncode, 0)
        merged = matrix("merge", self.folder)
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertIn("All agree.", merged.stdout)
        self.assertIn("360 ticks, 8 states compared; in 8 of them", merged.stdout)
        rows = [line.split("|") for line in merged.stdout.splitlines() if "plain" in line]
        self.assertEqual([row[1].strip() for row in rows], sorted(CELLS))
        hashes = {word.strip() for row in rows for word in row[3:5]}
        self.assertEqual(len(hashes), 1, merged.stdout)
        self.assertRegex(hashes.pop(), "^[0-9a-f]{16}$")

    def test_merge_reports_the_first_hash_that_differs(self):
        self.run_all()
        altered = self.result(CELLS[1], 2)
        lines = altered.read_text(encoding="ascii").splitlines()
        words = lines[3].split()  # the line after two marker lines and the line of the first second
        words[5] = "0" * 16
        lines[3] = " ".join(words)
        altered.write_text("\n".join(lines) + "\n", encoding="ascii")
        merged = matrix("merge", self.folder)
        self.assertEqual(merged.returncode, 1)
        self.assertIn("DIFFERENT: gallery/cradle seed 1, first at tick 90", merged.stdout)
        self.assertIn(f"0000000000000000  {CELLS[1]} plain on 2 threads", merged.stdout)
        self.assertNotIn("All agree", merged.stdout)

    def test_merge_reports_a_unit_that_was_not_run(self):
        self.run_all()
        self.result(CELLS[0], 1).unlink()
        merged = matrix("merge", self.folder)
        self.assertEqual(merged.returncode, 2)
        self.assertIn(f"MISSING: {UNIT.format(cell=CELLS[0], threads=1)}", merged.stdout)

    def test_merge_ignores_results_of_another_unit_or_program(self):
        self.run_all()
        program = self.folder / "programs" / CELLS[1]
        program.unlink()
        program.write_text("#!/bin/sh\nexit 3\n", encoding="ascii")
        program.chmod(0o755)
        self.assertEqual(matrix("merge", self.folder).returncode, 2)
        ran = self.run_all()
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stdout.count("exit 3"), 2, ran.stdout)
        program.unlink()  # simulate a machine that has only the results
        self.assertEqual(matrix("merge", self.folder).returncode, 0)
        unit = self.unit(CELLS[0], 1)
        unit.write_text(unit.read_text(encoding="ascii").replace(" 90 ", " 30 "), encoding="ascii")
        merged = matrix("merge", self.folder)
        self.assertEqual(merged.returncode, 2)
        self.assertIn(f"MISSING: {unit.stem}", merged.stdout)

    def test_an_incomplete_row_does_not_change_the_hashes_of_others(self):
        second = self.folder / "units" / f"{CELLS[0]}.t1.plain.random.unit"
        second.write_text(f"#cell {CELLS[0]}\nbench/random1 1 60 1 plain\n", encoding="ascii")
        self.run_all()
        self.result(CELLS[0], 1).unlink()
        merged = matrix("merge", self.folder)
        self.assertEqual(merged.returncode, 2)
        self.assertEqual(merged.stdout.count("incomplete"), 1, merged.stdout)
        self.assertIn("Each hash is of the 2 states", merged.stdout)

    def test_a_truncated_result_counts_as_missing_and_is_run_again(self):
        self.run_all()
        torn = self.result(CELLS[0], 1)
        torn.write_text(torn.read_text(encoding="ascii").replace("end\n", ""), encoding="ascii")
        self.assertEqual(matrix("merge", self.folder).returncode, 2)
        self.assertEqual(self.run_all().returncode, 0)
        self.assertEqual(matrix("merge", self.folder).returncode, 0)

    def test_run_reports_a_unit_with_an_unknown_scene(self):
        self.unit(CELLS[0], 1).write_text(f"#cell {CELLS[0]}\ngallery/none 1 9 1 plain\n",
                                          encoding="ascii")
        ran = self.run_all()
        self.assertEqual(ran.returncode, 2)
        self.assertIn("the gallery has no scene 'none'", ran.stdout)
        self.assertFalse(self.result(CELLS[0], 1).exists())

    def test_invalid_arguments_are_rejected_with_a_message(self):
        for words, fault in (
            (("plan", self.folder, "--cells", "pdp11"), "unknown cell 'pdp11'"),
            (("merge", self.folder / "nowhere"), "there are no results in"),
            (("run", self.folder / "no.unit"), "there is no file"),
            (("run", PROGRAM.parent / "jostle-matrix"), ""),
        ):
            refused = matrix(*words)
            self.assertEqual(refused.returncode, 2, words)
            self.assertIn(fault, refused.stderr)
            self.assertNotIn("Traceback", refused.stderr)

    def test_plan_contains_every_cell_and_enough_ticks(self):
        planned = matrix("plan", self.folder)
        self.assertEqual(planned.returncode, 0)
        ticks = {}
        for unit in (self.folder / "units").glob("*.unit"):
            first, *runs = unit.read_text(encoding="ascii").splitlines()
            cell = first.removeprefix("#cell ")
            ticks[cell] = ticks.get(cell, 0) + sum(int(run.split()[2]) for run in runs)
        self.assertEqual(len(ticks), 15)
        self.assertGreaterEqual(min(ticks.values()), 20_000)
        self.assertGreaterEqual(sum(ticks.values()), 1_000_000)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
