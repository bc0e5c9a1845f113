#!/usr/bin/env python3
"""Checks the contract of libjostle.so and libjostle-client.so: headers, layout and symbols.

usage: contract_test.py SOURCE_DIR LIBRARY CLIENT_LIBRARY CC CXX NM [--write]
A change of the layout or of the symbols changes the ABI. Make it on purpose, then write the new tables
with --write and read docs/ENGINE_GUIDE.md, "Versions".
"""
import ctypes
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, LIBRARY, CLIENT_LIBRARY, CC, CXX, NM = sys.argv[1:7]
sys.path.insert(0, str(Path(SOURCE) / "python"))
import c_headers as headers  # noqa: E402

INCLUDE = Path(SOURCE) / "api/include"
TABLES = Path(__file__).parent
SYMBOL_TABLES = {LIBRARY: "symbols.txt", CLIENT_LIBRARY: "symbols_client.txt"}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{INCLUDE}"]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def layout_program(structs):
    lines = ["#include <jostle/client.h>", "#include <jostle/server.h>", "#include <stdio.h>", "int main(void) {"]
    for struct in structs:
        lines.append(f'  printf("{struct.name} %zu\\n", sizeof({struct.name}));')
        for _, member in struct.members:
            name = member.split("[")[0]
            lines.append(f'  printf("  {name} %zu\\n", offsetof({struct.name}, {name}));')
    return "\n".join(lines + ["  return 0;", "}", ""])


def layout():
    structs, _, _ = headers.read_headers(INCLUDE)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "layout.c", Path(folder) / "layout"
        source.write_text(layout_program(structs))
        run(CC, "-std=c11", *STRICT, source, "-o", program)
        return run(program)


def symbols(library):
    lines = run(NM, "-D", "--defined-only", library).splitlines()
    return "\n".join(sorted(f"{line.split()[1]} {line.split()[2]}" for line in lines)) + "\n"


def exported(library):
    """Returns the exported functions of the API. Other exported functions are those that replace functions of libenet,
    and weak ones that the two libraries share."""
    return {line.split()[1].split("@")[0] for line in symbols(library).splitlines() if line.startswith("T jostle_")}


def libraries():
    """Returns the loaded libraries by function."""
    found = {}
    for path in (CLIENT_LIBRARY, LIBRARY):
        library = ctypes.CDLL(path)
        library.jostle_last_error.restype = ctypes.c_char_p
        found.update({name: library for name in exported(path)})
    return found


def ctypes_of(structs, aliases):
    """Returns the types of the API for calls through ctypes."""
    base = {"size_t": ctypes.c_size_t, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
            "uint64_t": ctypes.c_uint64, "uint8_t": ctypes.c_uint8, "float": ctypes.c_float,
            "double": ctypes.c_double, "int": ctypes.c_int, "char": ctypes.c_char}
    def resolve(name):
        if name.endswith("*"):
            return ctypes.c_void_p
        return base[name] if name in base else resolve(aliases[name])
    waiting = list(structs)
    for _ in range(len(structs) ** 2):
        if not waiting:
            break
        struct = waiting.pop(0)
        fields = []
        try:
            for kind, name in struct.members:
                plain, _, count = name.partition("[")
                known = resolve(kind)
                count = count.rstrip("]")
                number = {"JOSTLE_STAGE_COUNT": 18}.get(count, count)
                fields.append((plain, known * int(number) if count else known))
        except KeyError:
            waiting.append(struct)  # a member is a struct that follows
            continue
        base[struct.name] = type(struct.name, (ctypes.Structure,), {"_fields_": fields})
    return resolve


class Contract(unittest.TestCase):
    maxDiff = None

    def test_headers_compile_alone_as_c11_and_cpp20(self):
        for path in sorted(INCLUDE.rglob("*.h")):
            for compiler, language, standard in ((CC, "c", "-std=c11"), (CXX, "c++", "-std=c++20")):
                run(compiler, standard, *STRICT, "-fsyntax-only", "-x", language, path)

    def test_layout_is_the_committed_one(self):
        self.assertEqual((TABLES / "layout.txt").read_text(), layout())

    def test_structs_have_no_padding_at_their_end_that_a_new_field_could_hide_in(self):
        structs, _, aliases = headers.read_headers(INCLUDE)
        resolve = ctypes_of(structs, aliases)
        for struct in structs:
            if struct.members[0][1] != "size":
                continue
            kind = resolve(struct.name)
            last = getattr(kind, struct.members[-1][1].split("[")[0])
            self.assertEqual(ctypes.sizeof(kind), last.offset + last.size, struct.name)

    def test_exported_symbols_are_the_committed_ones(self):
        for library, table in SYMBOL_TABLES.items():
            self.assertEqual((TABLES / table).read_text(), symbols(library))

    def test_every_declared_function_is_exported_and_nothing_else(self):
        _, functions, _ = headers.read_headers(INCLUDE)
        self.assertEqual({function.name for function in functions}, exported(LIBRARY) | exported(CLIENT_LIBRARY))

    def test_only_the_functions_of_both_headers_are_in_both_libraries(self):
        both = exported(LIBRARY) & exported(CLIENT_LIBRARY)
        self.assertEqual({"jostle_version", "jostle_result_name", "jostle_last_error", "jostle_set_log",
                          "jostle_input_init"}, both)

    def test_every_function_refuses_null_arguments(self):
        structs, functions, aliases = headers.read_headers(INCLUDE)
        resolve = ctypes_of(structs, aliases)
        library_of = libraries()
        for function in functions:
            if function.result != "jostle_result":
                continue
            library = library_of[function.name]
            call = getattr(library, function.name)
            call.argtypes = [resolve(kind) for kind, _ in function.parameters]
            call.restype = ctypes.c_int32
            self.assertNotEqual(0, call(*(kind() for kind in call.argtypes)), function.name)
            self.assertTrue(library.jostle_last_error().startswith(function.name.encode() + b": "), function.name)

    def test_every_function_of_a_world_refuses_null_arguments_after_the_world(self):
        structs, functions, aliases = headers.read_headers(INCLUDE)
        resolve = ctypes_of(structs, aliases)
        library = ctypes.CDLL(LIBRARY)
        define = resolve("jostle_world_def")()
        library.jostle_world_def_init(ctypes.byref(define), ctypes.c_size_t(ctypes.sizeof(define)))
        harmless = {"jostle_world_destroy", "jostle_world_step", "jostle_world_steps", "jostle_world_set_gravity",
                    "jostle_world_set_clock", "jostle_world_set_stage_hook", "jostle_world_explode"}
        # Batches of no elements succeed.
        empty_batches = {"jostle_bodies_apply_forces", "jostle_world_cast_rays", "jostle_world_cast_shapes",
                         "jostle_world_closest_of_each"}
        for function in functions:
            kinds = [kind for kind, _ in function.parameters]
            if function.result != "jostle_result" or kinds[:1] != ["jostle_world"]:
                continue
            world = resolve("jostle_world")()
            self.assertEqual(0, library.jostle_world_create(ctypes.byref(define), ctypes.byref(world)))
            call = getattr(library, function.name)
            call.argtypes = [resolve(kind) for kind in kinds]
            call.restype = ctypes.c_int32
            result = call(world, *(kind() for kind in call.argtypes[1:]))
            self.assertEqual(function.name in harmless | empty_batches, result == 0, function.name)
            library.jostle_world_destroy(world)


if __name__ == "__main__":
    if sys.argv[7:] == ["--write"]:
        (TABLES / "layout.txt").write_text(layout())
        for library, table in SYMBOL_TABLES.items():
            (TABLES / table).write_text(symbols(library))
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
