// A program that links only `client` and the scripted server, and plays. A second test,
// check_thin_link.sh, searches it for symbols of the engine.
#include "tests/client/match.h"

#include <cstdio>

int main() {
  jostle::client::Match match;
  if (!match.run_until_playing()) {
    std::printf("does not play: %s\n", match.client->status().text.c_str());
    return 1;
  }
  jostle::state::PlayerInput input;
  input.move_x = 1;
  match.client->set_input(input);
  match.run(3'000);
  std::printf("snapshots %llu, wrong %llu, inputs %llu, bodies shown %zu\n",
              static_cast<unsigned long long>(match.completed),
              static_cast<unsigned long long>(match.wrong),
              static_cast<unsigned long long>(match.server->counters().inputs),
              match.client->shown_bodies().size());
  const bool is_fine = match.completed > 170 && match.wrong == 0 &&
                       match.server->counters().inputs > 170 &&
                       match.client->shown_bodies().size() == 21;
  return is_fine ? 0 : 1;
}
