#!/usr/bin/env python3
"""Tests of the Python package with wrong arguments and failing rules. Needs what python_test.py needs."""
import enum
import tempfile
import unittest
from pathlib import Path

import jostle

SCENE = """{"name": "rolling", "spawns": [{"position": [0, 2, 8]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "ball", "position": [0, 0.5, 0], "linear_velocity": [6, 0, 0], "mass": 20,
   "shapes": [{"sphere": {"radius": 0.5}}]}]}"""


class AttributeTest(unittest.TestCase):
    def test_unknown_attributes_are_refused_with_near_names(self):
        world = jostle.World()
        shape = jostle.Shape.sphere(1)
        body = world.create_body(shape)
        joint = world.create_joint("hinge", body, world.create_body(shape), (0, 0, 0))
        server = jostle.Server(SCENE, port=0)
        client = jostle.Client(f"127.0.0.1:{server.port}")
        for thing, name, near in ((world, "gravty", "gravity"), (body, "velocity", "linear_velocity"),
                                  (body, "angular_veloctiy", "angular_velocity"), (joint, "stat", "state"),
                                  (shape, "definiton", "definition"), (server, "urll", "url"),
                                  (client, "positons", "positions"), (server.game, "wrld", "world")):
            words = f"has no attribute '{name}'; did you mean .*'{near}'"
            with self.assertRaisesRegex(AttributeError, words):
                setattr(thing, name, 1)
            with self.assertRaisesRegex(AttributeError, words):
                getattr(thing, name)
        with self.assertRaisesRegex(AttributeError, "a Body has no attribute 'colour'; attributes that can be set: "
                                    "angular_velocity, linear_velocity, pose, position"):
            body.colour = 3
        with self.assertRaisesRegex(AttributeError, "'info' of a Body cannot be set"):
            body.info = 3
        with self.assertRaises(AttributeError):
            world.counts.bodys = 3
        client.close()
        server.close()

    def test_derived_classes_may_have_attributes(self):
        class Own(jostle.World):
            pass

        own = Own()
        own.note = "mine"
        self.assertEqual("mine", own.note)


class RuleTest(unittest.TestCase):
    def step_with(self, value, **fields):
        class Keeper(jostle.Rule):
            name = "keeper"

            def __init__(self):
                self.kept = value

        with jostle.Server(SCENE, rules=[Keeper], port=0, sync_test_ticks=2, **fields) as server:
            server.step(4)
            return server.info.sync_mismatch

    def test_attributes_that_json_would_change_are_refused(self):
        class Team(enum.IntEnum):
            RED = 1

        shared = [1]
        for value, error, words in (
                ({1: 2}, TypeError, "the attribute kept is .1: 2., with the key 1 of type int"),
                ([3, (1, 2)], TypeError, r"the attribute kept\[1\] is \(1, 2\), of type tuple"),
                ({"a": {2}}, TypeError, r"the attribute kept\['a'\] is .2., of type set"),
                (float("nan"), ValueError, "the attribute kept is nan"), (float("inf"), ValueError, "kept is inf"),
                (Team.RED, TypeError, "of type Team"), (jostle.Duration(2), TypeError, "of type Duration"),
                ([shared, shared], TypeError, r"kept\[1\] is \[1\], which also occurs elsewhere")):
            with self.assertRaisesRegex(error, "rule 'keeper': .*" + words + ".*; accepted: None, bool, int, finite"):
                self.step_with(value)

    def test_plain_data_survive_the_sync_test(self):
        self.assertEqual(0, self.step_with({"z": [1, 2.5, None, True, "é"], "a": {"": -0.0}, "big": 1 << 80}))

    def test_order_of_dictionaries_is_kept(self):
        class Order(jostle.Rule):
            name = "order"

            def __init__(self):
                self.last = {"z": 1, "a": 2}

        rule, other = Order(), Order()
        other.load(rule.save())
        self.assertEqual(["z", "a"], list(other.last))

    def test_exception_of_init_is_the_only_one(self):
        class Unborn(jostle.Rule):
            name = "unborn"

            def __init__(self):
                raise ZeroDivisionError("no start")

            def after_step(self, game):
                pass

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ZeroDivisionError, "no start") as caught:
                jostle.Server(SCENE, rules=[Unborn], port=0, recording_file=Path(folder) / "run.jrec")
            self.assertIsNone(caught.exception.__context__)

    def test_exception_of_init_after_a_reset_is_raised_again(self):
        class Once(jostle.Rule):
            name = "once"
            made = 0

            def __init__(self):
                Once.made += 1
                if Once.made > 1:
                    raise ZeroDivisionError("no second start")

            def after_step(self, game):
                pass

        with jostle.Server(SCENE, rules=[Once], port=0) as server:
            server.step()
            server.control("reset")
            for _ in range(3):
                with self.assertRaisesRegex(ZeroDivisionError, "no second start"):
                    server.step()

    def test_bodies_of_other_worlds_are_refused_by_games(self):
        class Stranger(jostle.Rule):
            name = "stranger"

            def after_step(self, game):
                getattr(game, wanted)(stranger)

        world = jostle.World()
        stranger = world.create_body(jostle.Shape.sphere(1))
        for wanted in ("despawn", "id_of"):
            with jostle.Server(SCENE, rules=[Stranger], port=0) as server:
                with self.assertRaisesRegex(jostle.InvalidArgument, r"body is Body\(.*\) of another world"):
                    server.step()


class ArgumentTest(unittest.TestCase):
    def setUp(self):
        self.world = jostle.World()
        self.ball = self.world.create_body(jostle.Shape.sphere(1))

    def refuses(self, error, words, call, *arguments, **fields):
        with self.assertRaisesRegex(error, words):
            call(*arguments, **fields)

    def test_bodies_of_other_worlds_are_refused(self):
        other = jostle.World().create_body(jostle.Shape.sphere(1))
        for a, b, name in ((other, self.ball, "a"), (self.ball, other, "b")):
            self.refuses(jostle.InvalidArgument, f"{name} is Body.* of another world; accepted: a Body of this world",
                         self.world.create_joint, "ball", a, b, (0, 0, 0))
        self.refuses(jostle.InvalidArgument, r"bodies\[1\] is .* of another world", self.world.apply_forces,
                     [self.ball, other], [(0, 0, 0)] * 2)
        self.refuses(TypeError, "a is 3, a int; accepted: a Body", self.world.create_joint, "ball", 3, other, (0, 0, 0))

    def test_messages_of_worlds_name_the_argument(self):
        create = self.world.create_body
        self.refuses(ValueError, r"^position is \(1, 2\), of 2 elements; accepted: 3 numbers \(x, y, z\)$", create,
                     position=(1, 2))
        self.refuses(ValueError, "^rotation .* accepted: 4 numbers", create, rotation=(0, 0, 1))
        self.refuses(TypeError, "^mass is 'x', a str; accepted: a number", create, mass="x")
        self.refuses(TypeError, "^linear_velocity is 5, a int; accepted: 3 numbers", create, linear_velocity=5)
        self.refuses(TypeError, "^position is 'abc', a str; accepted: 3 numbers", create, position="abc")
        self.refuses(ValueError, "^motion: 'flying' is unknown; accepted: dynamic", create, motion="flying")
        self.refuses(TypeError, "^motion is 3, a int; accepted: dynamic", create, motion=3)
        self.refuses(TypeError, "^shapes is 3, a int; accepted: a Shape or a list", create, 3)
        self.refuses(TypeError, "^unknown argument 'material.frction'; accepted: friction", jostle.Shape.sphere, 1,
                     material={"frction": 1})
        self.refuses(TypeError, "^material.friction is 'x'", jostle.Shape.sphere, 1, material={"friction": "x"})
        self.refuses(TypeError, "^material is 3, a int; accepted: a dictionary with the keys friction",
                     jostle.Shape.sphere, 1, material=3)
        self.refuses(ValueError, r"^points has the shape \(1, 2\); accepted: \(n, 3\)", jostle.Shape.hull, [(1, 2)])
        self.refuses(ValueError, r"^heights has the shape \(2,\); accepted: \(nx, nz\)", jostle.Shape.height_field, [1, 2])
        self.refuses(TypeError, "^heights is 'x'", jostle.Shape.height_field, "x")
        self.refuses(ValueError, "^cell is .* of 3 elements", jostle.Shape.height_field, [(1, 2), (3, 4)], (1, 2, 3))
        self.refuses(ValueError, "^count is -1; accepted: integers from 0", self.world.step, -1)
        self.refuses(TypeError, "^count is 2.5, a float; accepted: an integer", self.world.step, 2.5)
        self.refuses(TypeError, "^impulse is 5", self.ball.apply_impulse, 5)
        self.refuses(ValueError, "^gravity is .* of 2 elements", setattr, self.world, "gravity", (0, 1))
        self.refuses(ValueError, "^linear_velocity is", setattr, self.ball, "linear_velocity", (0, 1))
        self.refuses(TypeError, "^pose is 3, a int; accepted: a Pose", setattr, self.ball, "pose", 3)
        self.refuses(TypeError, "^state is 'x'", self.world.restore, "x")
        self.assertEqual(1, self.world.counts.bodies)

    def test_messages_of_servers_and_clients_name_the_argument(self):
        self.refuses(TypeError, "scene and scene_name='stairs' are both given; accepted: one of them", jostle.Server,
                     SCENE, scene_name="stairs")
        self.refuses(TypeError, "^unknown argument 'rule_count'; accepted: name, scene_name", jostle.Server, SCENE,
                     rule_count=3)
        self.refuses(ValueError, "^port is -1; accepted: integers from 0", jostle.Server, SCENE, port=-1)
        self.refuses(TypeError, "^rules is .*Rule", jostle.Server, SCENE, rules=jostle.Rule)
        self.refuses(TypeError, "^rules is 3", jostle.Server, SCENE, rules=[3])
        self.refuses(TypeError, "^scene is 3, a int; accepted: a text", jostle.Server, 3)
        self.assertTrue(issubclass(jostle.ClientError, jostle.Error))
        with jostle.Server(SCENE, port=0) as server:
            with jostle.Client(f"127.0.0.1:{server.port}") as client:
                self.refuses(TypeError, r"^move is 5, a int; accepted: 2 numbers \(x, z\)", client.set_input, move=5)
                self.refuses(TypeError, "^custom is 'abc'", client.set_input, custom="abc")
                self.refuses(ValueError, "^custom has 33 elements; accepted: up to 32", client.set_input,
                             custom=b"x" * 33)
                self.refuses(ValueError, "^action.kind is 'kick'; accepted: push", client.act,
                             jostle.Action("kick", (0, 0, 0), (0, 0, 0)))
                self.refuses(ValueError, "^action.vector is", client.act, jostle.Action("push", (0, 0, 0), (0, 0)))
                self.refuses(TypeError, "^name is 3", client.find_body, 3)
                self.refuses(TypeError, "^max_wait_seconds is 'x'", client.poll, "x")
            self.refuses(TypeError, "^max_wait_seconds is 'x'", server.poll, "x")
            self.refuses(ValueError, "^command: 'fly' is unknown; accepted: .*pause", server.control, "fly")

    def test_server_with_a_scene_name_plays_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "named.scene.json"
            path.write_text(SCENE)
            for fields in ({"scene": path}, {"scene_name": path}):
                with jostle.Server(port=0, **fields) as server:
                    self.assertEqual("rolling", server.game.scene_name)

    def test_messages_of_set_log_name_the_argument(self):
        self.refuses(TypeError, "^lowest is <built-in function print>, .*; accepted: debug, error", jostle.set_log, print)
        self.refuses(TypeError, "^function is 3, a int; accepted: a function", jostle.set_log, "info", 3)
        self.refuses(ValueError, "^lowest: 'all' is unknown; accepted: debug, error", jostle.set_log, "all")


if __name__ == "__main__":
    unittest.main()
