"""The world of same_hash.py through the Python package. Prints its hash after 600 steps."""
import jostle

world = jostle.World()
world.create_body(jostle.Shape.plane(), motion="static")
for row in range(6):
    for i in range(row, 6):
        world.create_body(jostle.Shape.box((0.5, 0.5, 0.5)), position=(i - 0.5 * row, 0.5 + row, 0))
post = world.create_body(jostle.Shape.box((0.25, 0.25, 0.25)), motion="static", position=(10, 4, 0))
arm = world.create_body(jostle.Shape.capsule(0.5, 0.5), position=(12, 4, 0))
world.create_joint("hinge", post, arm, (10, 4, 0), (0, 0, 1), motor={"is_enabled": 1, "speed": 2, "max_force": 5000})
ball = world.create_body(jostle.Shape.sphere(0.75), position=(-8, 2, 0.25))
ball.linear_velocity = (15, 3, 0)
world.step(600)
print(f"{world.hash:016x}")
