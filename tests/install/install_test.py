#!/usr/bin/env python3
"""Installs jostle into a temporary folder and uses it from there.

usage: install_test.py SOURCE_DIR BUILD_DIR CMAKE CC CXX
"""
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD, CMAKE, CC, CXX = sys.argv[1:6]
EXAMPLES = Path(SOURCE) / "examples"
FOLDER = tempfile.TemporaryDirectory()
PREFIX = Path(FOLDER.name) / "prefix"
PROGRAMS = {"hello_physics": "hello_physics.c", "hello_physics_cpp": "hello_physics.cpp", "rollback": "rollback.cpp",
            "hello_server": "hello_server.cpp"}
CLIENT_PROGRAMS = {"hello_client": "hello_client.c"}


# Prints the hash of the world of a scene file after 600 steps.
HASH_PROGRAM = """
#include <jostle/physics.h>
#include <stdio.h>
#include <stdlib.h>

static char text[1 << 20];

int main(int argc, char** argv) {
  FILE* file = fopen(argv[argc - 1], "rb");
  const size_t length = fread(text, 1, sizeof text, file);
  jostle_scene scene;
  jostle_world_def def;
  jostle_world world;
  jostle_state_hash hash;
  def.size = sizeof def;
  hash.size = sizeof hash;
  if (jostle_scene_create(text, length, NULL, &scene) || jostle_scene_get_world_def(scene, 60, &def) ||
      jostle_world_create(&def, &world) || jostle_scene_instantiate(scene, world) || jostle_world_steps(world, 600) ||
      jostle_world_get_hash(world, &hash)) {
    fprintf(stderr, "%s\\n", jostle_last_error());
    return 1;
  }
  printf("%016llx\\n", (unsigned long long)hash.total);
  return 0;
}
"""


CPP_HASH_PROGRAM = """
#include <jostle/physics.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
  std::ifstream file(argv[argc - 1]);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const jostle::World world{jostle::Scene(text)};
  world.step(600);
  std::printf("%016llx\\n", static_cast<unsigned long long>(world.hash()));
}
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expected(name):
    return (EXAMPLES / "expected" / f"{name}.txt").read_text()


def environment(**more):
    own = {key: value for key, value in os.environ.items() if key != "JOSTLE_SCENES"}
    return {**own, **more}


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def python_with_numpy():
    """Returns an interpreter that has NumPy, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return python
    return None


class Installed(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        run(CMAKE, "--install", BUILD, "--prefix", Path(FOLDER.name) / "elsewhere")
        # The tree must work at another place than that of the installation.
        (Path(FOLDER.name) / "elsewhere").rename(PREFIX)

    def new_folder(self, name):
        folder = Path(FOLDER.name) / name
        folder.mkdir()
        return folder

    def test_examples_build_with_cmake_and_print_the_expected_output(self):
        project, build = self.new_folder("project"), self.new_folder("project-build")
        shutil.copytree(EXAMPLES, project, dirs_exist_ok=True)
        run(CMAKE, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_C_COMPILER={CC}",
            f"-DCMAKE_CXX_COMPILER={CXX}")
        run(CMAKE, "--build", build)
        for name in PROGRAMS:
            self.assertEqual(expected(name), run(build / name), name)

        self.check_client(build / "hello_server", build / "hello_client", os.environ)

    def check_client(self, server, client, env):
        """Runs the client against a server that plays on until it is ended."""
        port = free_port()
        with subprocess.Popen([server, str(port), "1000000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=env) as running:
            try:
                self.assertEqual(expected("hello_client"), run(client, f"127.0.0.1:{port}", env=env))
            finally:
                running.terminate()

    def test_examples_build_with_pkg_config_and_print_the_expected_output(self):
        folder = self.new_folder("pkg-config")
        package = next(PREFIX.rglob("jostle.pc"))
        env = environment(PKG_CONFIG_PATH=str(package.parent))
        library = next(PREFIX.rglob("libjostle.so")).parent
        for name, source in {**PROGRAMS, **CLIENT_PROGRAMS}.items():
            flags = run("pkg-config", "--cflags", "--libs", "jostle-client" if name in CLIENT_PROGRAMS else "jostle",
                        env=env).split()
            compiler = [CC, "-std=c11"] if source.endswith(".c") else [CXX, "-std=c++20"]
            run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", EXAMPLES / source, *flags, "-o", folder / name)
            if name in CLIENT_PROGRAMS:
                continue
            output = run(folder / name, env=environment(LD_LIBRARY_PATH=str(library)))
            self.assertEqual(expected(name), output, name)
        self.check_client(folder / "hello_server", folder / "hello_client", environment(LD_LIBRARY_PATH=str(library)))

    def test_python_examples_print_the_expected_output(self):
        python = python_with_numpy()
        if python is None:
            self.skipTest("no interpreter has NumPy")
        folder = self.new_folder("python")
        env = environment(PYTHONPATH=str(PREFIX / "lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE="1")
        self.assertEqual(expected("goal"), run(python, EXAMPLES / "goal.py", cwd=folder, env=env))
        self.assertEqual(expected("energy"), run(python, EXAMPLES / "energy.py", cwd=folder, env=env))

    def test_recordings_of_a_program_are_examined_by_the_program(self):
        folder = self.new_folder("recordings")
        library = next(PREFIX.rglob("libjostle.so")).parent
        source = (EXAMPLES / "hello_server.cpp").read_text()
        # The other version of the game has a shorter field.
        for name, text in (("game", source), ("old_game", source.replace("position().x < 2", "position().x < 1.9"))):
            (folder / f"{name}.cpp").write_text(text)
            run(CXX, "-std=c++20", f"-I{PREFIX}/include", folder / f"{name}.cpp", f"-L{library}", "-ljostle", "-o",
                folder / name)
        env = environment(LD_LIBRARY_PATH=str(library))

        def play(*arguments):
            return subprocess.run([str(word) for word in arguments], capture_output=True, text=True, env=env, cwd=folder)

        self.assertEqual(0, play("./game", "record", "a.jrec").returncode)
        for arguments, code, words in ((("verify", "a.jrec"), 0, "120 ticks agree"),
                                       (("diff", "a.jrec", "a.jrec"), 0, "equal in inputs and states"),
                                       (("show", "a.jrec", "80"), 0, "score: 2"),
                                       (("bisect", "a.jrec", "./game"), 0, "both programs compute the same states"),
                                       (("bisect", "a.jrec", "./old_game"), 1, "first divergence: tick 38"),
                                       (("bisect", "a.jrec", "./old_game"), 1, "angular_momentum.z")):
            done = play("./game", *arguments)
            # The rule prints in every replay; what it prints in the other program comes from its standard error.
            errors = [line for line in done.stderr.splitlines() if not line.startswith("goal in tick")]
            self.assertEqual((code, []), (done.returncode, errors), arguments)
            self.assertIn(words, done.stdout, arguments)
        # The stock tool names the rule that it does not have.
        done = play(PREFIX / "bin/jostle", "verify", "a.jrec")
        self.assertEqual(2, done.returncode)
        self.assertIn("goals", done.stderr)

    def test_headers_compile_alone_and_include_only_installed_ones(self):
        include = PREFIX / "include"
        headers = [path.relative_to(include) for path in include.rglob("*.h*")]
        self.assertGreater(len(headers), 20)
        folder = self.new_folder("headers")
        for header in headers:
            for included in re.findall(r'#include "([^"]*)"|#include <(jostle/[^>]*)>', (include / header).read_text()):
                self.assertTrue(included[1] and (include / included[1]).is_file(), f"{header}: {included}")
        for header in (path for path in headers if path.suffix == ".hpp"):
            source = folder / "header.cpp"
            source.write_text(f"#include <{header}>\n")
            run(CXX, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{include}", source)

    def test_c_cpp_and_python_compute_the_same_hash(self):
        python = python_with_numpy()
        if python is None:
            self.skipTest("no interpreter has NumPy")
        folder = self.new_folder("hash")
        scene = PREFIX / "share/jostle/scenes/crates.scene.json"
        (folder / "hash.c").write_text(HASH_PROGRAM)
        library = next(PREFIX.rglob("libjostle.so")).parent
        run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{PREFIX}/include", folder / "hash.c", f"-L{library}",
            "-ljostle", "-o", folder / "hash")
        (folder / "hash.cpp").write_text(CPP_HASH_PROGRAM)
        run(CXX, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{PREFIX}/include", folder / "hash.cpp", f"-L{library}",
            "-ljostle", "-o", folder / "hash_cpp")
        script = (f"import jostle; world = jostle.World.from_scene(open({str(scene)!r}).read()); world.step(600); "
                  "print(f'{world.hash:016x}')")
        env = environment(PYTHONPATH=str(PREFIX / "lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE="1",
                          LD_LIBRARY_PATH=str(library))
        in_c = run(folder / "hash", scene, env=env)
        self.assertRegex(in_c, "^[0-9a-f]{16}\n$")
        self.assertEqual(in_c, run(folder / "hash_cpp", scene, env=env))
        self.assertEqual(in_c, run(python, "-c", script, env=env))

    def find_package(self, arguments, target="jostle::jostle"):
        project = Path(tempfile.mkdtemp(dir=FOLDER.name))
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(p LANGUAGES C)\n"
                                                f"find_package(jostle {arguments})\n"
                                                'message(STATUS "found ${jostle_FOUND} ${jostle_VERSION}")\n'
                                                f"get_target_property(kind {target} TYPE)\n"
                                                'message(STATUS "target ${kind}")\n')
        return subprocess.run([CMAKE, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}"],
                              capture_output=True, text=True)

    def test_find_package_without_components_finds_all(self):
        self.assertIn("target SHARED_LIBRARY", self.find_package("0.2 REQUIRED").stdout)

    def test_each_component_has_its_target_and_needs_no_other(self):
        for name in ("physics", "server", "client"):
            done = self.find_package(f"0.2 REQUIRED COMPONENTS {name}", f"jostle::{name}")
            self.assertIn("target INTERFACE_LIBRARY", done.stdout, done.stderr)
        done = self.find_package("0.2 REQUIRED COMPONENTS client", "jostle::jostle")
        self.assertNotEqual(0, done.returncode, "the thin client needs no libjostle")

    def test_find_package_refuses_unknown_components_and_later_versions(self):
        done = self.find_package("0.2 REQUIRED COMPONENTS physics wings")
        self.assertNotEqual(0, done.returncode)
        self.assertIn("jostle has no component 'wings'", " ".join(done.stderr.split()))
        for version in ("0.3", "1.0"):
            self.assertNotEqual(0, self.find_package(f"{version} REQUIRED").returncode, version)

    def test_installed_programs_find_the_installed_scenes(self):
        scenes = PREFIX / "share/jostle/scenes"
        shutil.copy(scenes / "crates.scene.json", scenes / "only_installed.scene.json")
        folder = self.new_folder("play")
        output = folder / "a.jrec"
        run(PREFIX / "bin/jostle", "record", "--scene", "only_installed", "--ticks", "2", "-o", output,
            cwd=folder, env=environment())
        self.assertGreater(output.stat().st_size, 0)
        # A program elsewhere finds them beside the library.
        if python_with_numpy() is not None:
            env = environment(PYTHONPATH=str(PREFIX / "lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE="1")
            script = 'import jostle; print(jostle.Server("only_installed", port=0).game.scene_name)'
            self.assertEqual("only_installed\n", run(python_with_numpy(), "-c", script, cwd=folder, env=env))
        for program in ("jostled", "jostle"):
            self.assertIn("0.2", run(PREFIX / "bin" / program, "--version"))

    def test_installed_files_are_those_of_the_components(self):
        files = {str(path.relative_to(PREFIX)) for path in PREFIX.rglob("*")}
        for name in ("include/jostle/physics.h", "include/jostle/physics/world.h", "include/jostle/server/rules.h",
                     "include/jostle/client.h", "include/jostle/server.hpp", "share/man/man1/jostled.1",
                     "share/bash-completion/completions/jostle", "share/doc/jostle/examples/CMakeLists.txt", "lib/python3/dist-packages/jostle/_abi.py", "bin/jostled",
                     "share/jostle/scenes/crates.scene.json", "share/jostle/scenes/pictures"):
            self.assertIn(name, files)
        self.assertFalse([name for name in files if name.endswith(".a")])


if __name__ == "__main__":
    try:
        unittest.main(argv=sys.argv[:1])
    finally:
        FOLDER.cleanup()
