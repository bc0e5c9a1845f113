#!/usr/bin/env python3
"""Shows what each constant of the engine does: `./run ablation --constants`.

usage: constants.py BIN_DIR ROOT [--only NAME] [--steps N]

Multiplies one constant of shared/physics/detail/constants.h after the other by 1/2 and by 2, in programs that read the
factor from the environment (cmake/VariedConstants.cmake). Prints a table: how many laws of docs/ACCURACY.md and scenes
of the wide suite give other numbers, and which of them become worse as bench/ablation.py defines it. Takes about two
hours.
"""
import argparse
import os
import re

from ablation import QUALITY, laws, run, scenes

FACTORS = ("0.5", "2")


def names_in(root):
    with open(f"{root}/shared/physics/detail/constants.h", encoding="utf-8") as file:
        text = file.read().split("// Limits for values set by callers")[0]
    return re.findall(r"^inline constexpr \w+ (\w+) = ", text, re.MULTILINE)


def measure(programs, setting, steps):
    os.environ["JOSTLE_VARIED_CONSTANT"] = setting
    return laws(programs, None), scenes(programs, None, steps)


def worse_rows(usual, other):
    """The numbers of the laws whose error at least doubles and exceeds the target."""
    worse = [name.split(",")[0] for name, (error, target) in other.items() if not error <= max(target, 2 * usual[name][0])]
    return [f"{row} ({worse.count(row)}×)" if worse.count(row) > 1 else row for row in dict.fromkeys(worse)]


def worse_scenes(usual, other):
    for name, line in other.items():
        changes = [f"{key} {usual[name][key]:.3g} → {line[key]:.3g}" for key, least in QUALITY.items()
                   if key in line and line[key] is not None and line[key] > 1.5 * usual[name][key] + least]
        if changes:
            yield f"{name.split('@')[0]}: {', '.join(changes)}"


def row_of(name, factor, usual, other):
    other_laws = sum(usual[0][law] != other[0][law] for law in usual[0])
    other_scenes = sum(usual[1][scene]["hash"] != other[1][scene]["hash"] for scene in usual[1])
    laws_text = ", ".join(worse_rows(usual[0], other[0])) or "–"
    scenes_text = "; ".join(worse_scenes(usual[1], other[1])) or "–"
    return f"| `{name}` | {factor} | {other_laws} | {other_scenes} | {laws_text} | {scenes_text} |"


def main():
    parser = argparse.ArgumentParser(prog="constants", description=__doc__.split("\n")[0])
    parser.add_argument("programs")
    parser.add_argument("root")
    parser.add_argument("--only", metavar="NAME", help="this constant only")
    parser.add_argument("--steps", type=int, default=120, help="steps of each scene")
    options = parser.parse_args()
    names = names_in(options.root)
    if options.only and options.only not in names:
        parser.error(f"--only: there is no constant '{options.only}'; use one of {', '.join(names)}")
    run([f"{options.programs}/accuracy", "--version"])
    usual = measure(options.programs, "", options.steps)
    print(f"{len(usual[0])} laws, {len(usual[1])} scenes of {options.steps} steps\n")
    print("| constant | factor | laws changed | scenes changed | laws worse | scenes worse |")
    print("|---|---|---|---|---|---|", flush=True)
    for name in [options.only] if options.only else names:
        for factor in FACTORS:
            print(row_of(name, factor, usual, measure(options.programs, f"{name}={factor}", options.steps)), flush=True)


if __name__ == "__main__":
    main()
