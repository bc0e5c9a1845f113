#!/usr/bin/env python3
"""Shows what each stabilizer of the engine does: `./run ablation`.

usage: ablation.py BIN_DIR [--only NAME] [--steps N] [--laws | --scenes]

Turns off one stabilizer after the other (docs/ENGINE.md), and prints which laws of docs/ACCURACY.md and which scenes of
the wide suite become worse. Laws: the error with and without the stabilizer, if it at least doubles and exceeds the
target. Scenes: the quantities of the quality check that grow by half, and the time per step. Takes about half an hour.
"""
import argparse
import json
import subprocess
import sys

# Quantities of `jostle bench physics`, with the difference below which a change does not count.
QUALITY = {"v_max": 1.0, "drift_max": 0.01, "joint_gap_max": 0.002, "energy_gain_share": 0.01, "below_floor": 1,
           "outside": 1, "nonfinite": 1, "awake": 10}


def run(arguments):
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"ablation: {' '.join(arguments)} failed: {result.stderr.strip()}")
    return result.stdout


def laws(programs, without):
    command = [f"{programs}/accuracy", "--lines"] + (["--without", without] if without else [])
    rows = {}
    for line in run(command).splitlines():
        row, error, target, name = line.split("\t")
        rows[f"{row}, {name}"] = (float(error), float(target))
    return rows


def scenes(programs, without, steps):
    command = [f"{programs}/jostle", "bench", "physics", "--suite", "wide", "--rounds", "1", "--json"]
    command += ["--steps", str(steps)] if steps else []
    command += ["--without", without] if without else []
    lines = [json.loads(line) for line in run(command).splitlines() if line.startswith("{")]
    return {line["scene"]: line for line in lines if "scene" in line}


def worse_laws(usual, other):
    for name, (error, target) in other.items():
        before = usual[name][0]
        if not error <= max(target, 2 * before):
            yield f"| {name} | {before:.2g} | {error:.2g} | {target:.2g} |"


def worse_scenes(usual, other):
    for name, line in other.items():
        before = usual[name]
        changes = [f"{key} {before[key]:.3g} → {line[key]:.3g}" for key, least in QUALITY.items()
                   if key in line and line[key] > 1.5 * before[key] + least]
        time = f"{line['median_ms'] / before['median_ms']:.2f}" if before["median_ms"] else "–"
        if changes or line["hash"] != before["hash"]:
            yield f"| {name} | {'; '.join(changes) or 'none worse'} | {time} |"


def print_table(head, rows):
    rows = list(rows)
    if not rows:
        return False
    print(head)
    print("|" + "---|" * (head.count("|") - 1))
    print("\n".join(rows) + "\n", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(prog="ablation", description=__doc__.split("\n")[0])
    parser.add_argument("programs")
    parser.add_argument("--only", metavar="NAME", help="this stabilizer only")
    parser.add_argument("--steps", type=int, default=0, help="steps of each scene; default: those of the scene")
    parser.add_argument("--laws", action="store_true", help="laws only")
    parser.add_argument("--scenes", action="store_true", help="scenes only")
    options = parser.parse_args()
    names = run([f"{options.programs}/accuracy", "--stabilizers"]).split()
    if options.only and options.only not in names:
        parser.error(f"--only: there is no stabilizer '{options.only}'; use one of {', '.join(names)}")
    usual_laws = {} if options.scenes else laws(options.programs, None)
    usual_scenes = {} if options.laws else scenes(options.programs, None, options.steps)
    print("# What each stabilizer does\n")
    for name in [options.only] if options.only else names:
        print(f"## Without {name}\n")
        found = False
        if usual_laws:
            found = print_table("| law | error | error without | target |",
                                worse_laws(usual_laws, laws(options.programs, name)))
        if usual_scenes:
            found |= print_table("| scene of the wide suite | quality | time without / with |",
                                 worse_scenes(usual_scenes, scenes(options.programs, name, options.steps)))
        if not found:
            print("Nothing changes.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
