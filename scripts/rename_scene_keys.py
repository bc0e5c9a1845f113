#!/usr/bin/env python3
"""Converts scene files written before version 0.2.0 to the keys of docs/SCENES.md.

usage: rename_scene_keys.py [--check] FILE...
Rewrites each file in place and prints the number of renamed names. Spacing, order and numbers do not change. A second
run changes nothing. With --check it writes nothing and exits with 1 if a file has old names. It also exits with 1 if it
cannot convert a file; it does not change that file.
"""
import argparse
import re
import sys
from pathlib import Path

# Entries are (kind of object, old key, new key). A key is renamed only in objects of that kind. A
# "body" is any object that describes a body, a "joint" any object in the list of joints, and so on.
RENAMED = [
    ("scene", "builders", "assemblies"), ("scene", "fields", "force_fields"),
    ("scene", "pushes", "actuators"), ("scene", "readouts", "labels"),
    ("world", "sleeping", "sleep_enabled"), ("world", "sleep_seconds", "time_before_sleep"),
    ("body", "motion", "motion_type"), ("body", "like", "template"), ("body", "locks", "motion_locks"),
    ("body", "sleep_allowed", "allow_sleep"), ("body", "rotation_locked", "lock_rotation"),
    ("body", "course", "kinematic_motion"), ("body", "ignores_fields", "ignores_force_fields"),
    ("course", "spin", "angular_velocity"), ("on_enter", "move_to", "teleport_to"),
    ("shape", "decomposed_mesh", "convex_decomposition"), ("height_field", "samples", "sample_counts"),
    ("joint", "cone", "cone_angle"), ("joint", "only_pulls", "tension_only"), ("joint", "axle", "spin_axis"),
    ("joint", "over_a", "ground_anchor_a"), ("joint", "over_b", "ground_anchor_b"),
    ("joint", "along_x", "linear_x"), ("joint", "along_y", "linear_y"), ("joint", "along_z", "linear_z"),
    ("joint", "about_x", "angular_x"), ("joint", "about_y", "angular_y"), ("joint", "about_z", "angular_z"),
    ("assembly", "by_balls", "ball_joints"), ("generator", "tumble", "random_rotation"),
    ("car", "track", "track_width"), ("car", "max_steer", "max_steer_angle"),
    ("actuator", "every", "interval"), ("explosion", "every", "interval"),
    ("force_field", "turns_along", "in_body_frame"), ("emitter", "lifetime_share", "min_lifetime_fraction"),
    ("particle_set", "ignores_fields", "ignores_force_fields"),
    ("player", "rotation_locked", "lock_rotation"), ("player", "turn_factor", "reverse_force_factor"),
    ("player", "skin", "skin_width"), ("player", "max_slope", "max_slope_angle"),
    ("player", "step_down", "floor_snap_length"), ("player", "push_force", "max_push_force"),
    ("player", "clicks_shoot", "shoot_on_click"), ("player", "may_drag", "may_grab"),
    ("player", "drag_hertz", "grab_hertz"), ("player", "max_drag_force", "max_grab_force"),
]
RENAMED_KINDS = [
    ("joint", "six_axis", "six_dof"), ("joint", "rack", "rack_and_pinion"),
    ("force_field", "pole", "point_charge"), ("force_field", "charges", "charge_interaction"),
]
# The kind of the object that a key holds. Keys are listed under their old and new names. If a key
# holds a list, the objects in the list have this kind.
OBJECT_OF_KEY = {
    "world": "world", "player": "player", "bodies": "body", "body": "body", "templates": "body",
    "shape": "shape", "shapes": "shape", "height_field": "height_field", "course": "course",
    "kinematic_motion": "course", "on_enter": "on_enter", "generators": "generator", "joints": "joint",
    "builders": "assembly", "assemblies": "assembly", "car": "car", "pushes": "actuator", "actuators": "actuator",
    "explosions": "explosion", "fields": "force_field", "force_fields": "force_field",
    "particles": "particle_set", "emitters": "emitter",
}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\]:,]|//[^\n]*|/\*.*?\*/|[^\s{}\[\]:,"]+', re.S)


def renamed(table, kind, name):
    for where, old, new in table:
        if where == kind and old == name:
            return new
    return None


class NotConvertible(Exception):
    """The reason why a file cannot be converted."""


def convert(text):
    """Returns the converted text and the number of names that were renamed."""
    out, at, count = [], 0, 0
    # One entry per open container: [kind of this object or of the objects in this list, is_object,
    # {new key: key in the file}]
    stack = []
    key, expects_key, is_first = None, False, True
    for match in TOKEN.finditer(text, text.startswith("\ufeff")):
        word = match.group()
        if word.startswith(("//", "/*")):
            continue
        if is_first and word != "{":
            break
        is_first = False
        new = None
        if word in "{[":
            kind = "scene" if not stack else (OBJECT_OF_KEY.get(key) if stack[-1][1] else stack[-1][0])
            stack.append([kind, word == "{", {}])
            expects_key = word == "{"
        elif word in "}]":
            if not stack or stack[-1][1] != (word == "}"):
                raise NotConvertible(f"line {line_of(text, match)}: unexpected {word}")
            stack.pop()
            expects_key = False
        elif word == ",":
            expects_key = bool(stack) and stack[-1][1]
        elif word == ":":
            expects_key = False
        elif word.startswith('"') and stack and stack[-1][1]:
            if expects_key:
                key = word[1:-1]
                new = renamed(RENAMED, stack[-1][0], key)
                final = new or key
                other = stack[-1][2].setdefault(final, key)
                if other != key:
                    raise NotConvertible(f'line {line_of(text, match)}: an object has both "{other}" and "{key}", '
                                         "which are the same key; remove one of them")
            elif key == "kind":
                new = renamed(RENAMED_KINDS, stack[-1][0], word[1:-1])
        if new is not None:
            count += 1
            out += [text[at:match.start()], f'"{new}"']
            at = match.end()
    if is_first:
        raise NotConvertible("not a scene: a scene is a JSON object {...}")
    if stack:
        raise NotConvertible("the file ends within an object or a list")
    return "".join(out) + text[at:], count


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


def convert_file(path, is_check):
    """Converts a file, or only counts its old names. Returns the number of old names. Raises NotConvertible."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise NotConvertible(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NotConvertible(f"not UTF-8: invalid byte at offset {error.start}") from error
    converted, count = convert(text)
    if count and not is_check:
        try:
            path.write_bytes(converted.encode("utf-8"))
        except OSError as error:
            raise NotConvertible(f"cannot be written: {error.strerror}") from error
    return count


def main():
    parser = argparse.ArgumentParser(description="Converts scene files written before version 0.2.0 in place.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file has old names")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    failed = False
    for name in options.files:
        try:
            count = convert_file(Path(name), options.check)
        except NotConvertible as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            failed = True
            continue
        names = "1 name" if count == 1 else f"{count} names"
        print(f"{name}: {names} {'to rename' if options.check else 'renamed'}")
        failed |= options.check and count > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
