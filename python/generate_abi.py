#!/usr/bin/env python3
"""Writes jostle/_abi.py, the declarations of the C API for ctypes, and its type stub _abi.pyi, from the C headers.

usage: generate_abi.py INCLUDE_FOLDER OUTPUT
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import c_headers  # noqa: E402

HEAD = '''"""Declarations of the C API for ctypes. Written by python/generate_abi.py; do not edit."""
from ctypes import (CFUNCTYPE, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p)

'''
BASE = {"size_t": "c_size_t", "int32_t": "c_int32", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
        "uint8_t": "c_uint8", "float": "c_float", "double": "c_double", "int": "c_int", "char": "c_char"}


class Writer:
    def __init__(self, include):
        self.structs, self.functions, self.aliases = c_headers.read_headers(include)
        self.callbacks = c_headers.read_callbacks(include)
        self.constants = c_headers.read_constants(include)
        self.known = {struct.name for struct in self.structs}

    def type_of(self, name):
        if name in self.callbacks:
            return name
        if re.sub(r"^const ", "", name) == "char*":
            return "c_char_p"
        if name.endswith("*"):
            return "c_void_p"
        if name in BASE:
            return BASE[name]
        return name if name in self.known else self.type_of(self.aliases[name])

    def result_of(self, name):
        return "None" if name == "void" else self.type_of(name)

    def field(self, kind, name):
        plain, _, count = name.partition("[")
        text = self.type_of(kind)
        return f'("{plain}", {text} * {count.rstrip("]")})' if count else f'("{plain}", {text})'

    def struct(self, struct):
        fields = ",\n                ".join(self.field(*member) for member in struct.members)
        return f"class {struct.name}(Structure):\n    __slots__ = ()\n    _fields_ = [{fields}]\n"

    def names_in(self, struct):
        return {self.type_of(kind) for kind, _ in struct.members} & self.known

    def text(self):
        lines = [HEAD]
        lines += [f"{name} = {value}\n" for name, value in sorted(self.constants.items())]
        handles = [s for s in self.structs if [m for _, m in s.members] == ["index", "generation"]]
        waiting = handles + [s for s in self.structs if s not in handles]
        done, callbacks = set(), False
        while waiting:
            if not callbacks and not any(s in handles for s in waiting):
                callbacks = True
                lines.append("\n")
                lines += [self.callback(name) for name in sorted(self.callbacks)]
            struct = waiting.pop(0)
            if self.needs(struct) - done:
                waiting.append(struct)
                continue
            done.add(struct.name)
            lines.append("\n\n" + self.struct(struct))
        lines.append("\n\n# For each function: whether it returns a jostle_result, its result, its parameters.\nFUNCTIONS = {\n")
        for function in sorted(self.functions, key=lambda each: each.name):
            parameters = ", ".join(self.type_of(kind) for kind, _ in function.parameters)
            is_checked = function.result == "jostle_result"
            lines.append(f'    "{function.name}": ({is_checked}, {self.result_of(function.result)}, [{parameters}]),\n')
        return "".join(lines + ["}\n"]).replace(" * JOSTLE_STAGE_COUNT", f' * {self.constants["JOSTLE_STAGE_COUNT"]}')

    def stub(self):
        """Returns the type stub: constants, and structs with the types of their fields."""
        lines = ['"""Structs and constants of the C API. Written by python/generate_abi.py; do not edit."""\n',
                 "from ctypes import Structure\nfrom typing import Any, Optional\n\n", "FUNCTIONS: dict[str, Any]\n"]
        lines += [f"{name}: int\n" for name in sorted(self.constants)]
        lines += [f"{name}: Any\n" for name in sorted(self.callbacks)]
        for struct in self.structs:
            lines.append(f"\n\nclass {struct.name}(Structure):\n")
            for kind, name in struct.members:
                plain, _, count = name.partition("[")
                lines.append(f"    {plain}: {self.python_type(kind, count)}\n")
        return "".join(lines)

    def python_type(self, kind, count):
        known = self.type_of(kind)
        if known == "c_char":
            return "bytes"
        if count:
            return "Any"
        if known in self.known:
            return known
        return {"c_float": "float", "c_double": "float", "c_char_p": "Optional[bytes]"}.get(
            known, "int" if known in BASE.values() else "Any")

    def callback(self, name):
        result, parameters = self.callbacks[name]
        kinds = ", ".join([self.result_of(result)] + [self.plain(kind) for kind in parameters])
        return f"{name} = CFUNCTYPE({kinds})\n"

    def plain(self, kind):
        """Returns the type of a parameter of a callback; texts are plain pointers there."""
        return "c_void_p" if kind.endswith("*") else self.type_of(kind)

    def needs(self, struct):
        return {self.type_of(kind) for kind, _ in struct.members} & self.known


def main():
    writer, output = Writer(sys.argv[1]), Path(sys.argv[2])
    output.write_text(writer.text())
    output.with_suffix(".pyi").write_text(writer.stub())


if __name__ == "__main__":
    main()
