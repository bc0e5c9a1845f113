// When the ball crosses the goal line, the score rises.
//
// hello_server [PORT [GOALS]] plays. hello_server record FILE records a match; hello_server verify
// FILE, diff A B, show FILE TICK and bisect FILE PROGRAM examine recordings with the same rule.
#include <jostle/server.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

constexpr char scene_text[] = R"({"name": "goal", "spawns": [{"position": [0, 1, 4]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "goal", "motion_type": "static", "position": [2.5, 0.5, 0],
   "shapes": [{"box": {"half_extents": [0.1, 0.5, 1]}}]},
  {"name": "ball", "position": [0, 0.3, 0], "linear_velocity": [4, 0, 0],
   "shapes": [{"sphere": {"radius": 0.3}}]}]})";

int goals_wanted = 3;
jostle::Server* running = nullptr;

struct Match {
  int goals = 0;  // what the rule remembers

  void after_step(jostle::Game game) {
    const jostle::Body ball = game.find_body("ball");
    if (ball.position().x < 2) return;
    game.show(jostle::value("score", static_cast<float>(++goals)));  // to all players
    std::printf("goal in tick %u, score %d\n", game.tick(), goals);
    ball.set_pose({{0, 0.3, 0}, {0, 0, 0, 1}});
    ball.set_velocity({4, 0, 0});
    if (running != nullptr && goals == goals_wanted) running->stop();
  }
};

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  const bool is_number = command.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number && command != "record")
    return jostle::recording_main(argc, argv, {jostle::rule<Match>("goals")});
  const jostle::Scene scene(scene_text, "goal");
  jostle_server_def def = jostle::server_def();
  def.scene = scene.handle();
  def.port = is_number ? static_cast<unsigned>(std::atoi(command.c_str())) : 0;
  if (command == "record" && argc > 2) def.recording_file = argv[2];
  if (is_number && argc > 2) goals_wanted = std::atoi(argv[2]);
  jostle::Server server(def, {jostle::rule<Match>("goals")});  // registers the rule
  running = &server;
  server.run();
}
