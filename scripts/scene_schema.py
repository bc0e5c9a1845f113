#!/usr/bin/env python3
"""Makes the JSON Schema of scene files (draft 7), for editors and other tools.

The keys and their types come from shared/scene/scene.fbs, the descriptions from docs/SCENES.md, and
the ranges from the tables below, which the test `scene_schema` compares with the loader.

usage: scene_schema.py > scenes/scene.schema.json
"""
import json
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def between(low, high):
    return {"type": "number", "minimum": low, "maximum": high}


def above(low, high):
    return {"type": "number", "exclusiveMinimum": low, "maximum": high}


def within(limit):
    return between(-limit, limit)


def whole(low, high):
    return {"type": "integer", "minimum": low, "maximum": high}


def numbers(least, most=None, entry=None):
    """Returns the schema of a list of `least` to `most` entries; without `most`, of exactly `least` entries."""
    return {"type": "array", "items": entry or {"type": "number"}, "minItems": least, "maxItems": most or least}


def vec3(entry):
    return numbers(3, entry=entry)


def entries(least, most):
    return {"minItems": least, "maxItems": most}


def nonzero(vector):
    """Returns the schema of a vector of which at least one number is not zero."""
    return {**vector, "contains": {"not": {"const": 0}}}


def bounded_text(max_bytes, pattern):
    """Returns the schema of a text of at most `max_bytes`. JSON Schema counts characters, not bytes, so it only limits
    their number, and the number of those that are not ASCII: in UTF-8, they have two bytes or more."""
    too_long = r"^([\x00-\x7F]*[^\x00-\x7F]){%d}" % (max_bytes // 2 + 1)
    return {"type": "string", "minLength": 1, "maxLength": max_bytes, "pattern": pattern, "not": {"pattern": too_long}}


MAX_LIST = 200_000
COORDINATE, OFFSET, SPEED = within(1e6), within(1e4), above(0, 1e4)
VELOCITY, SIZE, MASS, DAMPING = vec3(within(1e4)), between(0.001, 1e5), between(1e-6, 1e9), between(0, 1000)
DENSITY, FORCE, TORQUE = between(1e-6, 1e6), between(0, 1e12), between(0, 1e12)
UINT32, SEED = whole(0, 4294967295), whole(0, 9007199254740991)
MOMENT, INTERVAL, COUNT = between(0, 1e9), between(0.001, 1e9), whole(1, 4294967295)
SECONDS, RATE = between(0, 1e6), between(0, 1e6)
POSITION, DIRECTION, EXTENT = vec3(COORDINATE), nonzero(vec3(within(1e6))), within(1e5)
# Control characters, wide spaces and invisible characters, which names must not contain.
NEVER = r"\x00-\x1F\x7F-\xA0\u1680\u2000-\u200B\u2028-\u202F\u205F-\u206F\u3000\uFEFF"
NAME = bounded_text(64, rf"^[^ {NEVER}]([^{NEVER}]*[^ {NEVER}])?$")
SURFACE = {"friction": between(0, 100), "static_friction": between(0, 100), "restitution": between(0, 1),
           "rolling_resistance": between(0, 1000), "spinning_resistance": between(0, 1000), "density": DENSITY}
ROTATION = {"rotation": nonzero(numbers(4, entry=within(1000))), "rotation_degrees": vec3(within(36_000))}
POSE = {"position": POSITION, **ROTATION}
SPRING = {"spring_hertz": between(0, 1000), "spring_damping_ratio": between(0, 1000), "motor_speed": within(1e4),
          "max_motor_force": FORCE}
TRIANGLES = {"vertices": numbers(9, MAX_LIST, EXTENT), "triangles": numbers(3, MAX_LIST, whole(0, MAX_LIST))}
OSCILLATION = {"period": vec3(between(0.001, 1e6)), "phase": vec3(within(1e3))}
AXES = ["linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z"]
COUNT_OF_BODIES = whole(1, 200_000)

# Ranges of the keys of each table of scene.fbs, in addition to their types.
LIMITS = {
    "Scene": {"name": NAME, "description": bounded_text(512, r"^[^\x00-\x1F\x7F]*$"), "spawns": entries(1, 4096),
              "material_pairs": entries(0, 4096), "templates": entries(0, 1000), "actuators": entries(0, 10_000),
              "force_fields": entries(0, 1000), "explosions": entries(0, 10_000), "particles": entries(0, 64),
              "labels": entries(0, 16)},
    "World": {"gravity": vec3(within(1000)), "substeps": whole(1, 64), "sleep_linear_speed": between(0, 100),
              "sleep_angular_speed": between(0, 100), "time_before_sleep": between(0, 3600),
              "restitution_threshold": between(0, 1000), "max_linear_speed": SPEED, "max_angular_speed": SPEED,
              "time_scale": between(0.01, 10)},
    "Camera": {"eye": POSITION, "target": POSITION},
    "Spawn": POSE,
    "Player": {"mass": MASS, "linear_damping": DAMPING, "angular_damping": DAMPING, "move_force": between(0, 1e9),
               "max_speed": between(0, 1e4), "reverse_force_factor": between(0, 100), "jump_speed": between(0, 1000),
               "max_slope_angle": between(0, 85), "step_height": between(0, 100), "floor_snap_length": between(0, 100),
               "skin_width": between(0.002, 10), "air_acceleration": between(0, 1e6), "max_push_force": between(0, 1e9),
               "max_push_impulse": between(0, 1e9), "shot_radius": between(0.01, 100), "shot_mass": between(1e-6, 1e6),
               "max_shot_speed": SPEED, "max_shots_alive": whole(1, 10_000), "grab_hertz": between(0.01, 60),
               "max_grab_force": between(0, 1e9)},
    "Field": {"inner": between(0, 1e4), "outer": between(0, 1e4), "strength": within(1e9), "limit": between(0, 1e6)},
    "Material": {"name": NAME, **SURFACE},
    "MaterialPair": {**{key: SURFACE[key] for key in SURFACE if key != "density"}, "materials": entries(2, 2)},
    "Sphere": {"radius": SIZE},
    "Box": {"size": vec3(between(0.002, 2e5)), "half_extents": vec3(SIZE)},
    "Capsule": {"radius": SIZE, "half_segment": SIZE, "height": above(0.002, 1e5)},
    "Cylinder": {"radius": SIZE, "height": between(0.002, 2e5)},
    "Cone": {"radius": SIZE, "height": between(0.002, 2e5)},
    "Hull": {"points": numbers(12, 3 * 16_384, EXTENT)},
    "Mesh": TRIANGLES,
    "DecomposedMesh": {**TRIANGLES, "max_error": between(1e-6, 1e5), "max_hulls": whole(1, 256)},
    "HeightField": {"sample_counts": numbers(2, entry=whole(2, 2**20)), "cell_size": numbers(2, entry=SIZE),
                    "heights": numbers(4, MAX_LIST, EXTENT)},
    "Filter": {"category": UINT32, "mask": UINT32, "group": whole(-2147483647, 2147483647)},
    "Shape": {**POSE, **SURFACE, "position": vec3(OFFSET), "surface_velocity": VELOCITY},
    "Entry": {"teleport_to": POSITION},
    "KinematicMotion": {"amplitude": vec3(OFFSET), "period": between(0.001, 1e6), "phase": within(1e3),
                        "angular_velocity": VELOCITY},
    "Body": {**POSE, **SURFACE, "name": NAME, "linear_velocity": VELOCITY, "angular_velocity": VELOCITY,
             "shapes": entries(0, 256), "mass": MASS, "linear_damping": DAMPING, "angular_damping": DAMPING,
             "gravity_scale": within(100), "inertia": {"items": within(1e20), "anyOf": [entries(3, 3), entries(6, 6)]}, "centre_of_mass": vec3(OFFSET),
             "motion_locks": {"items": {"enum": AXES}}, "charge": within(1e9)},
    "Generator": {**POSE, "name": NAME, "counts": numbers(3, entry=COUNT_OF_BODIES), "count": COUNT_OF_BODIES,
                  "rows": COUNT_OF_BODIES, "columns": COUNT_OF_BODIES, "spacing": vec3(OFFSET),
                  "radius": above(0, 1e4), "area": numbers(2, entry=above(0, 1e4)), "jitter": between(0, 100),
                  "seed": SEED, "bodies": entries(1, 1000), "colours": entries(1, MAX_LIST)},
    "JointAxis": {**SPRING, "lower": within(1e6), "upper": within(1e6), "rest": within(1e6), "friction": FORCE},
    "Joint": {**SPRING, "anchor": POSITION, "anchor_b": POSITION, "axis": DIRECTION, "axis_b": DIRECTION,
              "spin_axis": DIRECTION, "lower": within(1e6), "upper": within(1e6), "rest": within(1e6),
              "cone_angle": between(0, 180), "break_force": FORCE, "break_torque": TORQUE, "brake_torque": TORQUE,
              "steer_angle": within(80), "sprung_mass": between(0, 1e9), **ROTATION,
              # Numbers from -0.001 to 0.001 are refused, after rounding to 32 bits.
              "ratio": {**within(1e6), "not": {"minimum": -0.0009999, "maximum": 0.0009999}},
              "target": POSITION, "max_force": FORCE, "max_torque": TORQUE, "ground_anchor_a": POSITION,
              "ground_anchor_b": POSITION},
    "Car": {"size": vec3(between(0.05, 100)), "mass": between(0.1, 1e6), "wheelbase": between(0.05, 100),
            "track_width": between(0.05, 100), "wheel_radius": between(0.01, 50), "wheel_width": between(0.01, 50),
            "wheel_mass": between(0.01, 1e5), "wheel_friction": between(0, 100), "suspension_hertz": between(0.2, 15),
            "suspension_damping_ratio": between(0, 10), "suspension_travel": between(0, 10),
            "drive_torque": between(0, 1e9), "brake_torque": between(0, 1e9), "max_speed": between(0, 1000),
            "max_steer_angle": between(0, 60)},
    "Assembly": {**POSE, "name": NAME, "height": between(0.1, 100), "mass": MASS, "throttle": within(1),
                 "steer_angle": within(60.1),
                 "points": numbers(6, 30_000, COORDINATE), "count": whole(1, 10_000), "radius": between(0.001, 100),
                 "density": DENSITY, "width": between(0.01, 1000), "thickness": between(0.01, 1000)},
    "PushVelocity": {**OSCILLATION, "amplitude": VELOCITY},
    "PushFollow": {**OSCILLATION, "centre": POSITION, "amplitude": vec3(OFFSET), "stiffness": above(0, 1e6),
                   "damping": DAMPING, "max_acceleration": above(0, 1e6), "axes": vec3({"enum": [0, 1]})},
    "Push": {"impulse": vec3(within(1e9)), "start": MOMENT, "end": MOMENT, "point": vec3(within(1e3)),
             "interval": INTERVAL, "count": COUNT,
             "bodies": {**entries(1, MAX_LIST), "uniqueItems": True}},
    "ForceRegion": {"centre": POSITION, "size": vec3(between(0, 1e6)), "half_extents": vec3(between(0, 1e6)),
                    "radius": between(0, 1e6)},
    "ForceField": {"centre": POSITION, "point": vec3(OFFSET), "strength": within(1e20), "exponent": whole(-1, 4),
                   "softening": between(0, 1e6), "outer": between(0, 1e6), "acceleration": vec3(within(1e5)),
                   "velocity": VELOCITY, "density": between(0, 1e6), "drag_coefficient": RATE, "linear_drag": RATE,
                   "quadratic_drag": RATE, "angular_drag": RATE, "level": COORDINATE, "force": vec3(within(1e12)),
                   "torque": vec3(within(1e12))},
    "Explosion": {"position": POSITION, "radius": between(0.001, 1e6), "impulse": between(0, 1e9), "start": MOMENT,
                  "interval": INTERVAL, "count": COUNT},
    "Emitter": {"position": POSITION, "rate": above(0, 1e6), "velocity": VELOCITY, "spread": between(0, 1e4),
                "lifetime": SECONDS, "min_lifetime_fraction": between(0, 1), "start": SECONDS, "end": SECONDS,
                "seed": SEED},
    "ParticleSet": {"name": NAME, "max_count": whole(1, 1_000_000), "mass": MASS, "radius": between(0, 100),
                    "charge": within(1e9), "gravity_scale": within(100), "mask": UINT32, "friction": between(0, 100),
                    "restitution": between(0, 1), "emitters": entries(1, 256)},
    "Label": {"name": NAME},
}

REQUIRED = {
    "Scene": ["name", "spawns"], "Spawn": ["position"], "Material": ["name"], "MaterialPair": ["materials"],
    "Sphere": ["radius"], "Capsule": ["radius"], "Cylinder": ["radius", "height"], "Cone": ["radius", "height"],
    "Hull": ["points"], "Mesh": ["vertices", "triangles"], "DecomposedMesh": ["vertices", "triangles"],
    "HeightField": ["sample_counts", "cell_size", "heights"], "Generator": ["kind"],
    "Joint": ["kind", "body_a", "body_b"], "Assembly": ["kind"], "PushVelocity": ["amplitude"],
    "PushFollow": ["stiffness", "max_acceleration"], "ForceField": ["kind"],
    "Explosion": ["position", "radius", "impulse"], "Emitter": ["rate"], "ParticleSet": ["emitters"],
    "Label": ["name", "body"],
}

# Sets of keys of which an object must have exactly one.
EXACTLY_ONE = {
    "Box": [["size", "half_extents"]], "Capsule": [["half_segment", "height"]],
    "Shape": [["sphere", "box", "capsule", "plane", "cylinder", "cone", "hull", "mesh", "height_field",
               "convex_decomposition"]],
    "Generator": [["body", "bodies"]],
    "Push": [["body", "bodies"], ["impulse", "velocity", "follow"]], "Emitter": [["position", "region"]],
    "ForceRegion": [["size", "half_extents", "radius"]],
}

# Keys that objects of some kinds must have.
REQUIRED_BY_KIND = {
    "Joint": {"anchor": ["ball", "hinge", "slider", "fixed", "distance", "wheel", "six_dof", "servo", "pulley"],
              "anchor_b": ["distance", "pulley"], "spin_axis": ["wheel"], "spring_hertz": ["servo"],
              "ratio": ["gear", "rack_and_pinion"], "axis_b": ["rack_and_pinion"], "ground_anchor_a": ["pulley"],
              "ground_anchor_b": ["pulley"]},
    "Generator": {"counts": ["grid"], "count": ["stack", "row", "ring", "pour"],
                  "rows": ["pyramid", "square_pyramid", "wall"], "columns": ["wall"], "radius": ["ring"],
                  "area": ["pour"]},
    "Assembly": {"points": ["chain", "bridge"]},
    "ForceField": {"strength": ["attraction", "point_charge", "charge_interaction"], "acceleration": ["acceleration"],
                   "body": ["thrust"]},
}

# Rules that the tables above cannot express.
RULES = {
    "Entry": [{"oneOf": [{"required": ["teleport_to"]},
                         {"required": ["destroy"], "properties": {"destroy": {"const": True}}}]}],
    "MaterialPair": [{"minProperties": 2}],
}

# A body has its shapes from the template if it states none.
SOLID = {"anyOf": [{"required": [key]} for key in ("shape", "shapes", "template")],
         "properties": {"shapes": {"minItems": 1}}}
WITHOUT_POSITION = {"not": {"required": ["position"]}}
# Rules of the objects that a key holds, in addition to those of their table.
KEY_RULES = {
    ("Scene", "templates"): [{"required": ["name"]}, WITHOUT_POSITION],
    ("Scene", "bodies"): [SOLID],
    ("Generator", "body"): [SOLID, WITHOUT_POSITION],
    ("Generator", "bodies"): [SOLID, WITHOUT_POSITION],
    ("ForceField", "region"): [{"properties": {"size": {"items": {"minimum": 0.001}}, "radius": {"minimum": 0.001},
                                               "half_extents": {"items": {"minimum": 0.001}}}}],
}

# Sections of docs/SCENES.md that describe the keys of a table; default: the section with the
# table's name.
SECTIONS = {
    "Field": ["Radial field"], "MaterialPair": ["Material pair"], "Entry": ["Sensor action"],
    "KinematicMotion": ["Kinematic motion"], "DecomposedMesh": ["Convex decomposition"],
    "Joint": ["Joint", "Wheel", "Six degrees of freedom", "Servo", "Gear and rack and pinion", "Pulley"],
    "JointAxis": ["Six degrees of freedom"], "Push": ["Actuator"], "PushVelocity": ["Actuator"],
    "PushFollow": ["Actuator"], "ForceRegion": ["Region"], "ForceField": ["Force field"],
    "Emitter": ["Particle set"], "ParticleSet": ["Particle set"],
}


def plain(cell):
    """Returns the text of a cell of a Markdown table, without links and code marks."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").replace("\\|", "|").strip()


def described_keys():
    """Returns the meaning of each key by (title of the section, key), with its default."""
    found, title, columns = {}, "", []
    for line in (SOURCE / "docs/SCENES.md").read_text().splitlines():
        if line.startswith("#"):
            title = line.lstrip("# ")
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        columns = columns or cells
        if not columns[0].startswith("key") or columns[-1] != "meaning and units":
            continue
        for key in re.findall(r"`(\w+)`", cells[0]):
            text = plain(cells[-1])
            if "default" in columns and plain(cells[columns.index("default")]) not in ("required", "–", "none"):
                text += (" " if text else "") + f"Default: {plain(cells[columns.index('default')])}."
            if text:
                found.setdefault((title, key), text)
    return found


def colour():
    block = re.search(r"names = \{(.*?)\}", (SOURCE / "shared/scene/colour.cpp").read_text(), re.S).group(1)
    return {"anyOf": [{"enum": re.findall(r'"(\w+)"', block)}, {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}]}


class Schema:
    def __init__(self):
        self.text = (SOURCE / "shared/scene/scene.fbs").read_text()
        self.enums = {name: re.findall(r"\w+", names)
                      for name, names in re.findall(r"^enum (\w+)[^{]*\{([^}]*)\}", self.text, re.M)}
        self.descriptions = described_keys()

    def type_of(self, name):
        if name.startswith("["):
            return {"type": "array", "items": self.type_of(name[1:-1]), "maxItems": MAX_LIST}
        if name in self.enums:
            return {"enum": self.enums[name]}
        simple = {"double": "number", "string": "string", "bool": "boolean"}
        return {"type": simple[name]} if name in simple else {"$ref": f"#/definitions/{name}"}

    def key(self, table, key, kind):
        value = {**self.type_of(kind), **LIMITS.get(table, {}).get(key, {})}
        if key == "colour":
            value = colour()
        if key == "colours":
            value["items"] = colour()
        rules = KEY_RULES.get((table, key))
        if rules and "items" in value:
            value["items"] = {"allOf": [value["items"], *rules]}
        elif rules:
            value = {"allOf": [value, *rules]}
        titles = SECTIONS.get(table, [table])
        text = next((self.descriptions[title, key] for title in titles if (title, key) in self.descriptions), None)
        if text and "$ref" in value:  # draft 7 ignores the keys beside a reference
            return {"description": text, "allOf": [value]}
        return {"description": text, **value} if text else value

    def table(self, name, fields, comment):
        keys = re.findall(r"^  (\w+): ([\w\[\]]+)", fields, re.M)
        unknown = set(LIMITS.get(name, {})) - {key for key, _ in keys}
        assert not unknown, f"{name} has no {unknown}"
        made = {"type": "object"}
        if comment:
            made["description"] = " ".join(line.lstrip("/ ") for line in comment.strip().splitlines())
        made["properties"] = {key: self.key(name, key, kind) for key, kind in keys}
        made["additionalProperties"] = False
        if name in REQUIRED:
            made["required"] = REQUIRED[name]
        names, rules = set(made["properties"]), []
        for keys_of_rule in EXACTLY_ONE.get(name, []):
            rules.append({"oneOf": [{"required": [key]} for key in keys_of_rule]})
        for pair in (["rotation", "rotation_degrees"], ["shape", "shapes"]):
            if names.issuperset(pair):
                rules.append({"not": {"required": pair}})
        for key, kinds in REQUIRED_BY_KIND.get(name, {}).items():
            rules.append({"if": {"required": ["kind"], "properties": {"kind": {"enum": kinds}}},
                          "then": {"required": [key]}})
        rules += RULES.get(name, [])
        if rules:
            made["allOf"] = rules
        dependencies = {"static_friction": ["friction"], "count": ["interval"], "motor_speed": ["max_motor_force"]}
        stated = {key: needs for key, needs in dependencies.items() if names.issuperset([key, *needs])}
        if stated:
            made["dependencies"] = stated
        return made

    def whole(self):
        tables = {name: self.table(name, fields, comment) for comment, name, fields in
                  re.findall(r"((?:^//[^\n]*\n)*)^table (\w+) \{\n(.*?)^\}", self.text, re.M | re.S)}
        scene = tables.pop("Scene")
        scene["properties"] = {"$schema": {"type": "string"}, **scene["properties"]}
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Scene file of jostle",
                "$comment": "Made by scripts/scene_schema.py. docs/SCENES.md is the reference.",
                "allowComments": True, "allowTrailingCommas": True}  # extensions of VS Code
        return {**head, **scene, "description": "A scene of jostle (docs/SCENES.md).", "definitions": tables}


def main():
    print(json.dumps(Schema().whole(), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
