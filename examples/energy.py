"""The energy of a double pendulum over 20 s beside its exact value, as a table and as energy.png.
The picture needs matplotlib."""
import math

import jostle

LENGTH, MASS, SECONDS = 1.0, 1.0, 20
GRAVITY = 9.81

world = jostle.World(gravity=(0, -GRAVITY, 0), step_seconds=1 / 240, is_sleeping_enabled=0)
anchor = world.create_body(motion="static")
bobs = []
end, place = anchor, (0.0, 0.0, 0.0)
for angle in (2.0, 2.5):  # rad, from the vertical
    at = (place[0] + LENGTH * math.sin(angle), place[1] - LENGTH * math.cos(angle), 0.0)
    # The bob is almost a point, so that its rotation has no energy.
    bob = world.create_body(jostle.Shape.sphere(0.01), position=at, mass=MASS)
    world.create_joint("ball", end, bob, place)
    bobs.append(bob)
    end, place = bob, at


def energy():
    """Kinetic and potential energy of the bobs in J."""
    total = 0.0
    for row in range(1, 3):  # row 0 is the anchor
        speed2 = sum(float(v) ** 2 for v in world.linear_velocities[row])
        total += 0.5 * MASS * speed2 + MASS * GRAVITY * float(world.positions[row][1])
    return total


exact = energy()  # no friction: the energy of the start
times, energies = [0.0], [exact]
for second in range(1, SECONDS + 1):
    for _ in range(24):
        world.step(10)
        times.append(times[-1] + 10 / 240)
        energies.append(energy())
    if second % 5 == 0:
        print(f"{second:2} s: {100 * (energies[-1] - exact) / abs(exact):+.3f} % of the exact {exact:.2f} J")

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
    pyplot.plot(times, energies, label="engine")
    pyplot.axhline(exact, color="black", linewidth=1, label="exact")
    pyplot.xlabel("time (s)")
    pyplot.ylabel("energy (J)")
    pyplot.legend()
    pyplot.savefig("energy.png")
except ImportError:
    pass
