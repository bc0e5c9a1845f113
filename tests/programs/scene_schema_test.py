#!/usr/bin/env python3
"""The JSON Schema of scene files accepts all scenes and agrees with the loader about keys, types and ranges.

usage: scene_schema_test.py BIN_DIR SOURCE_DIR
"""
import copy
import json
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import jsonschema
except ImportError:
    sys.exit("scene_schema_test.py needs the Python module jsonschema: install python3-jsonschema")

from harness import SOURCE, TOOL, run

SCHEMA = SOURCE / "scenes/scene.schema.json"


def parsed(text):
    """Returns the content of a scene file, which may have comments and a comma after the last entry."""
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda found: found.group(1) or "", text, flags=re.S)
    text = re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])', lambda found: found.group(1) or "", text)
    return json.loads(text)


def examples():
    """Yields (name, scene) of all scenes, and of the examples in docs/SCENES.md."""
    for path in sorted((SOURCE / "scenes").glob("*.scene.json")):
        yield path.name, parsed(path.read_text())
    for number, text in enumerate(re.findall(r"```jsonc\n(.*?)```", (SOURCE / "docs/SCENES.md").read_text(), re.S)):
        if not text.startswith("{"):
            text = '{ "name": "example", "spawns": [{ "position": [0, 1, 0] }],\n' + text + "}"
        yield f"example {number} of SCENES.md", parsed(text)


def errors_of(validator, scene):
    """Returns the error messages, with those of alternatives."""
    return [f"{error.json_path}: {error.message} {[inner.message for inner in error.context]}"
            for error in validator.iter_errors(scene)]


def beyond(rule):
    """Returns the bounds of a schema's range, each with a number just outside of it."""
    outside = []
    for key, sign, step in (("minimum", -1, 1), ("maximum", 1, 1), ("exclusiveMinimum", -1, 0)):
        if key in rule:
            bound = rule[key]
            distance = 1 if rule.get("type") == "integer" else max(abs(bound) * 1e-3, 1e-9)
            outside.append((bound, bound + sign * step * distance))
    return outside


# Keys whose range depends on other values, so that the loader's bound is tighter than that of the schema.
DEPENDENT = {"capsule.height", "mesh.triangles", "convex_decomposition.triangles", "materials.static_friction",
             "material_pairs.static_friction", "joints.ratio", "assemblies.steer_angle", "region.size", "region.half_extents",
             "region.radius"}

# Keys that no scene and no example has.
RARE_KEYS = """{
  "name": "rare", "spawns": [{ "position": [0, 1, 0] }],
  "materials": [{ "name": "wood" }],
  "material_pairs": [{ "materials": ["wood", "wood"], "spinning_resistance": 0.1 }],
  "bodies": [
    { "name": "lift", "motion_type": "kinematic", "shape": { "box": { "size": [1, 1, 1] } },
      "kinematic_motion": { "phase": 0.5 } },
    { "name": "ball", "position": [0, 3, 0], "friction": 0, "static_friction": 1, "spinning_resistance": 0.1,
      "shape": { "sphere": { "radius": 0.5 }, "friction": 0, "static_friction": 1, "restitution": 0.1,
                 "rolling_resistance": 0.1, "spinning_resistance": 0.1 } }
  ],
  "joints": [{ "kind": "ball", "body_a": "lift", "body_b": "ball", "anchor": [0, 2, 0], "break_force": 9, "break_torque": 9 }],
  "assemblies": [
    { "kind": "car", "position": [9, 1, 0], "car": { "wheel_friction": 1, "suspension_damping_ratio": 1 } },
    { "kind": "chain", "points": [-9, 9, 0, -5, 9, 0], "density": 900 }
  ],
  "actuators": [{ "body": "ball", "follow": { "phase": [0, 0, 0], "stiffness": 1, "max_acceleration": 1 } }],
  "force_fields": [{ "kind": "fluid", "level": -9 }],
}"""


class Bounds:
    """Collects a copy of an example for each bound of the schema, with a value just outside of it."""

    def __init__(self, schema):
        self.schema, self.seen, self.cases = schema, set(), []

    def resolved(self, rule):
        while "$ref" in rule or "allOf" in rule and "properties" not in rule:
            rule = self.schema["definitions"][rule["$ref"].split("/")[-1]] if "$ref" in rule else rule["allOf"][0]
        return rule

    def collect(self, scene, value, rule, path=(), name="scene"):
        rule = self.resolved(rule)
        if isinstance(value, dict):
            for key, entry in value.items():
                if key in rule.get("properties", {}):
                    place = f"{name}.{key}" if name != "scene" else key
                    inner = self.resolved(rule["properties"][key])
                    self.collect(scene, entry, inner, (*path, key), place)
        elif isinstance(value, list):
            for index, entry in enumerate(value[:2000]):
                self.collect(scene, entry, rule.get("items", {}), (*path, index), name)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            kind = re.sub(r"^(\w+\.)*(?=\w+\.\w+$)", "", name)
            for bound, number in beyond(rule):
                if (kind, bound) not in self.seen:
                    self.seen.add((kind, bound))
                    self.cases.append((kind, bound, scene, path, number))


def changed(scene, path, value):
    copied = copy.deepcopy(scene)
    place = copied
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return copied


class SceneSchema(unittest.TestCase):
    def setUp(self):
        self.schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.validator = jsonschema.Draft7Validator(self.schema)

    def loader_error(self, scene):
        """Returns what the loader says about a scene, or an empty string if it accepts the scene."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.scene.json"
            path.write_text(json.dumps(scene))
            return run(TOOL, "record", "--scene", path, "--ticks", "1", "-o", folder + "/a.jrec").stderr

    def assert_refused(self, scenes):
        """Expects that both the schema and the loader refuse each of the scenes."""
        for scene in scenes:
            with self.subTest(scene=scene):
                self.assertNotEqual(errors_of(self.validator, scene), [])
                self.assertNotEqual(self.loader_error(scene), "")

    def test_the_file_is_that_of_the_current_keys_and_documentation(self):
        made = subprocess.run([sys.executable, SOURCE / "scripts/scene_schema.py"], capture_output=True, text=True, check=True)
        self.assertTrue(made.stdout == SCHEMA.read_text(),
                        "run: python3 scripts/scene_schema.py > scenes/scene.schema.json")

    def test_all_scenes_and_examples_are_valid(self):
        count = 0
        for name, scene in examples():
            with self.subTest(name):
                self.assertEqual(errors_of(self.validator, scene), [])
                count += 1
        self.assertGreater(count, 40)

    def test_the_scene_of_rare_keys_is_valid(self):
        self.assertEqual(errors_of(self.validator, parsed(RARE_KEYS)), [])
        self.assertEqual(self.loader_error(parsed(RARE_KEYS)), "")

    def test_wrong_keys_types_and_ranges_are_refused_by_schema_and_loader(self):
        spawns = [{"position": [0, 1, 0]}]
        sphere = {"sphere": {"radius": 1}}
        self.assertEqual(self.loader_error({"name": "a", "spawns": spawns, "bodies": [{"shape": sphere}]}), "")
        self.assert_refused([
            {"name": "a"},
            {"spawns": spawns},
            {"name": 3, "spawns": spawns},
            {"name": "", "spawns": spawns},
            {"name": "a", "spawns": []},
            {"name": "a", "spawns": [{}]},
            {"name": "a", "spawns": [{"position": [0, 1]}]},
            {"name": "a", "spawns": [{"position": [0, "1", 0]}]},
            {"name": "a", "spawns": spawns, "world": {"$schema": "b"}},
            {"name": "a", "spawns": spawns, "world": {"substeps": 1.5}},
            {"name": "a", "spawns": spawns, "bodys": []},
            {"name": "a", "spawns": spawns, "bodies": {}},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "masss": 1}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "mass": None}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "mass": -3}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "awake": 1}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "motion_type": "still"}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "colour": "tael"}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "shapes": [sphere]}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": {**sphere, "plane": {}}}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": {}}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "static_friction": 1}]},
            {"name": "a", "spawns": spawns, "bodies": [{"shape": sphere, "motion_locks": ["linear_w"]}]},
            {"name": "a", "spawns": spawns, "templates": [{"shape": sphere}]},
            {"name": "a", "spawns": spawns, "joints": [{"kind": "hing", "body_a": "x", "body_b": "y"}]},
            {"name": "a", "spawns": spawns, "explosions": [{"position": [0, 0, 0], "radius": 1}]},
        ])

    def test_wrong_texts_are_refused_by_schema_and_loader(self):
        spawns = [{"position": [0, 1, 0]}]
        names = [" a", "a ", " ", "a\nb", "a\x85", "a\u00a0b", "a\u200bb", "a\u202eb", "\ufeffa", "n" * 65, "\u00eb" * 33,
                 "\u00eb" * 40, "n" * 10 + "\u5b89" * 33]
        self.assert_refused([{"name": name, "spawns": spawns} for name in names])
        texts = ["", "a\nb", "d" * 513, "\u00eb" * 257]
        self.assert_refused([{"name": "a", "spawns": spawns, "description": text} for text in texts])

    def test_missing_parts_and_zero_vectors_are_refused_by_schema_and_loader(self):
        sphere, at = {"sphere": {"radius": 1}}, [0, 1, 0]
        sensor = {**sphere, "sensor": True}
        two = [{"name": "x", "shape": sphere}, {"name": "y", "shape": sphere}]
        self.assert_refused([{"name": "a", "spawns": [{"position": at}], **rule} for rule in [
            {"bodies": [{"name": "x"}]},
            {"bodies": [{"shapes": []}]},
            {"bodies": [{"template": "t", "shapes": []}], "templates": [{"name": "t", "shape": sphere}]},
            {"bodies": [{"shape": sphere, "rotation": [0, 0, 0, 0]}]},
            {"bodies": [{"shape": sphere, "rotation": [0, 0, 0, 1001]}]},
            {"bodies": [{"shape": {**sphere, "rotation": [0, 0, 0, 0]}}]},
            {"bodies": [{"shape": sphere, "mass": 1, "inertia": [1, 1, 1, 1]}]},
            {"bodies": [{"motion_type": "static", "shape": sensor, "on_enter": {"destroy": False}}]},
            {"bodies": [{"motion_type": "static", "shape": sensor, "on_enter": {"destroy": True, "teleport_to": [0, 1, 0]}}]},
            {"spawns": [{"position": [0, 1, 0], "rotation": [0, 0, 0, 0]}]},
            {"generators": [{"kind": "stack", "count": 2, "body": {"mass": 1}}]},
            {"generators": [{"kind": "stack", "count": 2, "bodies": [{"mass": 1}]}]},
            {"generators": [{"kind": "stack", "count": 2, "body": {"shape": sphere, "position": [0, 0, 0]}}]},
            {"generators": [{"kind": "stack", "body": {"shape": sphere}}]},
            {"assemblies": [{"kind": "chain"}]},
            {"force_fields": [{"kind": "attraction"}]},
            {"force_fields": [{"kind": "drag", "linear_drag": 1, "region": {"radius": 0}}]},
            {"materials": [{"name": "m"}], "material_pairs": [{"materials": ["m", "m"]}]},
            {"bodies": two, "actuators": [{"bodies": ["x", "x"], "impulse": [0, 1, 0]}]},
            *({"bodies": two, "joints": [{"body_a": "x", "body_b": "y", **joint}]} for joint in [
                {"kind": "ball"}, {"kind": "hinge", "anchor": at, "axis": [0, 0, 0]},
                {"kind": "wheel", "anchor": at, "spin_axis": [0, 0, 0]}, {"kind": "wheel", "anchor": at},
                {"kind": "gear", "ratio": 1, "axis_b": [0, 0, 0]}, {"kind": "gear"}, {"kind": "gear", "ratio": 0},
                {"kind": "distance", "anchor": at}, {"kind": "servo", "anchor": at, "max_force": 1},
                {"kind": "hinge", "anchor": at, "motor_speed": 1},
                {"kind": "pulley", "anchor": at, "anchor_b": at, "ground_anchor_a": at}]),
        ]])

    def test_rare_values_are_accepted_by_schema_and_loader(self):
        sphere, at = {"sphere": {"radius": 1}}, [0, 1, 0]
        sensor = {**sphere, "sensor": True}
        two = [{"name": "x", "shape": sphere}, {"name": "y", "position": [0, 3, 0], "shape": sphere}]
        for scene in [
            {"name": "\u00eb" * 32},
            {"name": "\U0001F680" * 16},
            {"name": "a  (b)\u200d"},
            {"description": " tab-free, " + "\u00eb" * 250},
            {"templates": [{"name": "t", "shapes": []}, {"name": "u", "template": "t", "shape": sphere}],
             "bodies": [{"template": "u"}, {"template": "t", "shape": sphere}]},
            {"bodies": [{"motion_type": "static", "shape": sensor, "on_enter": {"teleport_to": at, "destroy": False}}]},
            {"bodies": [{"shape": sphere, "rotation": [0, 0, 0, -2]}]},
            {"particles": [{"emitters": [{"rate": 1, "region": {"radius": 0}}]}]},
            {"bodies": [{"shape": sphere, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}]},
            {"bodies": two, "joints": [{"kind": "gear", "body_a": "x", "body_b": "y", "ratio": -0.001}]},
            {"bodies": two, "joints": [{"kind": "hinge", "body_a": "x", "body_b": "y", "anchor": at, "axis": [0, 0, -1e-3]}]},
        ]:
            with self.subTest(scene=scene):
                scene = {"name": "a", "spawns": [{"position": at}], **scene}
                self.assertEqual(errors_of(self.validator, scene), [])
                self.assertEqual(self.loader_error(scene), "")

    def test_the_loader_accepts_the_key_that_names_the_schema(self):
        scene = {"$schema": "scene.schema.json", "name": "a", "spawns": [{"position": [0, 1, 0]}]}
        self.assertEqual(errors_of(self.validator, scene), [])
        self.assertEqual(self.loader_error(scene), "")

    def test_the_loader_has_the_bounds_of_the_schema(self):
        bounds = Bounds(self.schema)
        for _, scene in [*examples(), ("rare", parsed(RARE_KEYS))]:
            bounds.collect(scene, scene, self.schema)
        self.assertGreater(len(bounds.cases), 350)
        with ThreadPoolExecutor(4) as pool:
            said = list(pool.map(lambda case: self.loader_error(changed(*case[2:])), bounds.cases))
        for (kind, bound, scene, path, number), error in zip(bounds.cases, said):
            with self.subTest(kind=kind, scene=scene["name"], path=path, number=number):
                self.assertNotEqual(errors_of(self.validator, changed(scene, path, number)), [])
                found = re.search(r"must be (?:a whole number )?(?:from|above) (\S+) (?:to|and at most) (\S+), is ", error)
                self.assertIsNotNone(found, error)
                if kind not in DEPENDENT:
                    stated = float(found.group(2 if number > bound else 1))
                    self.assertAlmostEqual(stated, bound, delta=1e-6 * abs(bound), msg=error)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
