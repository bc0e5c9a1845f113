#!/usr/bin/env python3
"""Finds instructions and calls in object code whose results differ between machines.

usage: check_instructions.py OBJDUMP FILE...
FILEs are objects or static libraries for x86-64 or aarch64. See docs/DETERMINISM.md. Not allowed are:
- fused multiply-adds, which round once instead of twice;
- estimates of reciprocals and reciprocal square roots, which differ between processors;
- x87 arithmetic, which rounds to 64 bits;
- calls of libm functions whose results are not exactly specified.
"""
import re
import subprocess
import sys

BANNED = {
    "x86-64": {
        "fused multiply-add": r"vfn?m(add|sub|addsub|subadd)(132|213|231)?[ps][sdh]|vfn?m(add|sub)\w*",
        "estimate": r"v?(rsqrt|rcp)(14|28)?[ps][sdh]",
        "x87 arithmetic": r"f(add|sub|subr|mul|div|divr)p?[sl]?|fi(add|sub|subr|mul|div|divr)[sl]?|"
                          r"fsqrt|fsin|fcos|fsincos|fptan|fpatan|f2xm1|fyl2x|fyl2xp1|fprem1?|"
                          r"frndint|fscale",
    },
    "aarch64": {
        "fused multiply-add": r"fn?m(add|sub)|fml[as]l?2?|fcmla|bfml\w+",
        "estimate": r"u?(frecp|frsqrt|recp|rsqrt)[esx]|urecpe|ursqrte",
    },
}
LIBM = re.compile(r"^(_?_?(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|sincos|exp|exp2|expm1|log|"
                  r"log2|log10|log1p|pow|cbrt|hypot|fma|fmod|remainder)[fl]?)(@.*)?$")
# Matches, for example, "   1c:   mulss  xmm0,xmm1". objdump runs with --no-show-raw-insn.
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+(?:(?:lock|rep\w*|data16|cs|ds|bnd|notrack)\s+)*([a-z][\w.]*)")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
UNDEFINED = re.compile(r"\*UND\*\s+\w+\s+(?:\.hidden )?(\S+)$")


def architecture_of(listing):
    """Returns the architecture of the file format in the listing, or None."""
    match = re.search(r"file format (\S+)", listing)
    if not match:
        return None
    return {"elf64-x86-64": "x86-64", "elf64-littleaarch64": "aarch64"}.get(match.group(1))


def find_problems(listing):
    """Returns (number of instructions, problems) of the output of objdump."""
    architecture = architecture_of(listing)
    if architecture is None:
        return 0, ["neither x86-64 nor aarch64"]
    banned = {why: re.compile(pattern) for why, pattern in BANNED[architecture].items()}
    known, problems, function, count = {}, [], "?", 0
    for line in listing.splitlines():
        match = INSTRUCTION.match(line)
        if match:
            count += 1
            name = match.group(1)
            if name not in known:
                known[name] = next((why for why, p in banned.items() if p.fullmatch(name)), None)
            if known[name]:
                problems.append(f"{function}: {name}: {known[name]}")
            continue
        match = FUNCTION.match(line)
        if match:
            function = match.group(1)
            continue
        match = UNDEFINED.search(line)
        if match and LIBM.match(match.group(1)):
            problems.append(f"calls {match.group(1)} of libm")
    return count, problems


def check(objdump, path):
    done = subprocess.run([objdump, "--disassemble", "--syms", "--no-show-raw-insn", path],
                          capture_output=True, text=True, check=True)
    count, problems = find_problems(done.stdout)
    if count == 0:
        problems.append("no instructions found")
    return count, [f"{path}: {problem}" for problem in problems]


def main():
    objdump, paths = sys.argv[1], sys.argv[2:]
    total, problems = 0, []
    for path in paths:
        count, found = check(objdump, path)
        total += count
        problems += found
    for problem in problems[:100]:
        print(problem)
    print(f"{len(paths)} files, {total} instructions, {len(problems)} problems")
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
