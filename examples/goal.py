"""The server of hello_server.cpp in Python: when the ball crosses the goal line, the score rises.
Usage: goal.py [PORT [GOALS]]; port 0 (the default) is a free one."""
import sys

import jostle

SCENE = """{"name": "goal", "spawns": [{"position": [0, 1, 4]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "goal", "motion_type": "static", "position": [2.5, 0.5, 0],
   "shapes": [{"box": {"half_extents": [0.1, 0.5, 1]}}]},
  {"name": "ball", "position": [0, 0.3, 0], "linear_velocity": [4, 0, 0],
   "shapes": [{"sphere": {"radius": 0.3}}]}]}"""
PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 0
GOALS = int(sys.argv[2]) if len(sys.argv) > 2 else 3


class Goals(jostle.Rule):
    name = "goals"

    def __init__(self):
        self.goals = 0  # what the rule remembers

    def player_joined(self, game, player_id):
        game.show("welcome", f"Hello {game.player(player_id).name}", player_id)

    def after_step(self, game):
        ball = game.body("ball")
        if ball.position[0] < 2:
            return
        self.goals += 1
        game.show("score", self.goals)
        print(f"goal in tick {game.tick}, score {self.goals}")
        ball.pose = jostle.Pose((0, 0.3, 0))
        ball.linear_velocity = (4, 0, 0)
        ball.angular_velocity = (0, 0, 0)
        if self.goals == GOALS:
            server.stop()


with jostle.Server(SCENE, rules=[Goals], port=PORT) as server:
    server.run()
