// When the ball crosses the goal line, the score rises. Usage: hello_server [PORT [GOALS]]
#include <jostle/server.h>

#include <cstdio>
#include <cstdlib>

constexpr char scene_text[] = R"({"name": "goal", "spawns": [{"position": [0, 1, 4]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "goal", "motion_type": "static", "position": [2.5, 0.5, 0],
   "shapes": [{"box": {"half_extents": [0.1, 0.5, 1]}}]},
  {"name": "ball", "position": [0, 0.3, 0], "linear_velocity": [4, 0, 0],
   "shapes": [{"sphere": {"radius": 0.3}}]}]})";

jostle_server server;
int goals_wanted = 3;
void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  std::fprintf(stderr, "%s\n", jostle_last_error());
  std::exit(1);
}

struct Match {
  int goals;
};  // what the rule remembers

void after_step(void*, void* state, jostle_game game) {
  Match& match = *static_cast<Match*>(state);
  jostle_game_info info{sizeof info, {}, 0, 0, 0, 0};
  jostle_body ball;
  jostle_pose pose;
  check(jostle_game_get_info(game, &info));
  check(jostle_game_find_body(game, "ball", &ball));
  check(jostle_body_get_pose(info.world, ball, &pose));
  if (pose.position.x < 2) return;
  const jostle_value score{JOSTLE_VALUE_NUMBER, static_cast<float>(++match.goals), "score", ""};
  check(jostle_game_show(game, 0, &score));  // 0: to all players
  std::printf("goal in tick %u, score %d\n", info.tick, match.goals);
  pose = {{0, 0.3, 0}, {0, 0, 0, 1}};
  check(jostle_body_set_pose(info.world, ball, &pose));
  check(jostle_body_set_velocity(info.world, ball, {4, 0, 0}, {0, 0, 0}));
  if (match.goals == goals_wanted) check(jostle_server_stop(server));
}

int main(int argc, char** argv) {
  jostle_rule_def rule;
  check(jostle_rule_def_default(&rule));
  rule.name = "goals";
  rule.state_size = sizeof(Match);
  rule.after_step = after_step;
  jostle_server_def def;
  check(jostle_server_def_default(&def));
  check(jostle_scene_create(scene_text, sizeof scene_text - 1, "goal", &def.scene));
  def.port = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
  if (argc > 2) goals_wanted = std::atoi(argv[2]);
  def.rules = &rule;
  def.rule_count = 1;
  check(jostle_server_create(&def, &server));
  check(jostle_server_run(server));
  check(jostle_server_destroy(server));
}
