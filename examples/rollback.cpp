// Client-side prediction with rollback: a client simulates ahead of the server. When an input of
// another player arrives late, it returns to the last confirmed state and simulates again.
#include <jostle/physics.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

static void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  std::fprintf(stderr, "%s\n", jostle_last_error());
  std::exit(1);
}

static std::uint64_t hash_of(jostle_world world) {
  jostle_state_hash hash;
  hash.size = sizeof hash;
  check(jostle_world_get_hash(world, &hash));
  return hash.total;
}

// The other player pushes the ball at tick 10.
static void simulate(jostle_world world, jostle_body ball, int first, int last, bool knows_push) {
  for (int tick = first; tick <= last; ++tick) {
    if (tick == 10 && knows_push)
      check(jostle_body_apply_central_impulse(world, ball, {900, 0, 0}));
    check(jostle_world_step(world));
  }
}

int main() {
  jostle_world_def def;
  check(jostle_world_def_default(&def));
  jostle_world server, client, confirmed;  // `confirmed` is the newest state of the server
  for (jostle_world* world : {&server, &client, &confirmed})
    check(jostle_world_create(&def, world));
  jostle_body_def body;
  check(jostle_body_def_default(&body));
  jostle_body ball;
  check(jostle_body_create(server, &body, &ball));
  jostle_shape_def sphere;
  check(jostle_shape_def_default(&sphere));
  check(jostle_shape_create(server, ball, &sphere, nullptr));
  // Handles stay valid in copies of a world.
  check(jostle_world_copy(server, confirmed));
  check(jostle_world_copy(server, client));

  simulate(server, ball, 1, 30, true);
  simulate(client, ball, 1, 30, false);
  std::printf("predicted without the push: %s\n",
              hash_of(client) == hash_of(server) ? "equal" : "different");
  check(jostle_world_copy(confirmed, client));  // roll back to tick 0
  simulate(client, ball, 1, 30, true);
  std::printf("simulated again with it:    %s\n",
              hash_of(client) == hash_of(server) ? "equal" : "different");
  for (const jostle_world world : {server, client, confirmed})
    check(jostle_world_destroy(world));
}
