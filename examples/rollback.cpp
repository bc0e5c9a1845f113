// Client-side prediction with rollback: a client simulates ahead of the server. When an input of
// another player arrives late, it returns to the last confirmed state and simulates again.
#include <jostle/physics.hpp>

#include <cstdio>

// The other player pushes the ball at tick 10.
static void simulate(const jostle::World& world, jostle_body ball, int first, int last,
                     bool knows_push) {
  for (int tick = first; tick <= last; ++tick) {
    if (tick == 10 && knows_push) jostle::Body(world.handle(), ball).apply_impulse({900, 0, 0});
    world.step();
  }
}

int main() {
  const jostle::World server, client, confirmed;  // `confirmed`: the newest state of the server
  const jostle_body ball =
      server.create_body(jostle::body_def(), {jostle::shapes::sphere(0.5f)}).handle();
  // Handles stay valid in copies of a world.
  confirmed.copy_from(server);
  client.copy_from(server);
  const auto compare = [&] { return client.hash() == server.hash() ? "equal" : "different"; };

  simulate(server, ball, 1, 30, true);
  simulate(client, ball, 1, 30, false);
  std::printf("predicted without the push: %s\n", compare());
  client.copy_from(confirmed);  // roll back to tick 0
  simulate(client, ball, 1, 30, true);
  std::printf("simulated again with it:    %s\n", compare());
}
