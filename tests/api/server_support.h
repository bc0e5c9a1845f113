#pragma once

#include "tests/api/api_test.h"

#include <jostle/server.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace jostle::api_test {

/// A floor, and a ball that rolls along x without slowing down much.
inline constexpr char rolling_scene[] = R"({"name": "rolling", "spawns": [{"position": [0, 2, 8]}],
  "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "ball", "position": [0, 0.5, 0], "linear_velocity": [6, 0, 0], "mass": 20,
   "shapes": [{"sphere": {"radius": 0.5}}]}]})";

inline jostle_scene make_scene(const char* text = rolling_scene) {
  jostle_scene scene{};
  EXPECT_EQ(JOSTLE_OK, jostle_scene_create(text, std::strlen(text), "test", &scene))
      << jostle_last_error();
  return scene;
}

inline jostle_server_def server_def(jostle_scene scene) {
  jostle_server_def def;
  EXPECT_EQ(JOSTLE_OK, jostle_server_def_default(&def));
  def.port = 0;
  def.scene = scene;
  return def;
}

inline jostle_rule_def rule_def(const char* name) {
  jostle_rule_def def;
  EXPECT_EQ(JOSTLE_OK, jostle_rule_def_default(&def));
  def.name = name;
  return def;
}

inline jostle_game_info info_of(jostle_game game) {
  jostle_game_info info{};
  info.size = sizeof info;
  EXPECT_EQ(JOSTLE_OK, jostle_game_get_info(game, &info)) << jostle_last_error();
  return info;
}

inline jostle_body body_named(jostle_game game, const char* name) {
  jostle_body body{};
  EXPECT_EQ(JOSTLE_OK, jostle_game_find_body(game, name, &body)) << jostle_last_error();
  return body;
}

/// A rule that counts the times when the ball passes x = 1 and puts it back, and shows the count.
struct Goals {
  std::int32_t count;

  static void after_step(void*, void* state, jostle_game game) {
    auto& goals = *static_cast<Goals*>(state);
    const jostle_game_info info = info_of(game);
    const jostle_body ball = body_named(game, "ball");
    jostle_pose pose{};
    EXPECT_EQ(JOSTLE_OK, jostle_body_get_pose(info.world, ball, &pose)) << jostle_last_error();
    if (pose.position.x < 1) return;
    ++goals.count;
    pose = {{0, 0.5, 0}, {0, 0, 0, 1}};
    EXPECT_EQ(JOSTLE_OK, jostle_body_set_pose(info.world, ball, &pose)) << jostle_last_error();
    EXPECT_EQ(JOSTLE_OK, jostle_body_set_velocity(info.world, ball, {6, 0, 0}, {}))
        << jostle_last_error();
    const jostle_value value{JOSTLE_VALUE_NUMBER, static_cast<float>(goals.count), "goals", ""};
    EXPECT_EQ(JOSTLE_OK, jostle_game_show(game, 0, &value)) << jostle_last_error();
  }
  static jostle_rule_def rule() {
    jostle_rule_def def = rule_def("goals");
    def.state_size = sizeof(Goals);
    def.after_step = after_step;
    return def;
  }
};

/// A server for one test.
class Server {
 public:
  explicit Server(const jostle_server_def& def) {
    EXPECT_EQ(JOSTLE_OK, jostle_server_create(&def, &handle)) << jostle_last_error();
  }
  ~Server() { jostle_server_destroy(handle); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  operator jostle_server() const { return handle; }  // NOLINT: implicit on purpose

  jostle_game game() const {
    jostle_game game{};
    EXPECT_EQ(JOSTLE_OK, jostle_server_get_game(handle, &game)) << jostle_last_error();
    return game;
  }
  jostle_server_info info() const {
    jostle_server_info info{};
    info.size = sizeof info;
    EXPECT_EQ(JOSTLE_OK, jostle_server_get_info(handle, &info)) << jostle_last_error();
    return info;
  }
  void step(std::uint32_t count) const {
    EXPECT_EQ(JOSTLE_OK, jostle_server_step(handle, count)) << jostle_last_error();
  }
  std::vector<jostle_value> values(std::uint32_t player = 0) const {
    std::vector<jostle_value> values(JOSTLE_MAX_VALUES);
    std::size_t count = 0;
    EXPECT_EQ(JOSTLE_OK,
              jostle_game_get_values(game(), player, values.data(), 0, values.size(), &count))
        << jostle_last_error();
    values.resize(count);
    return values;
  }
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    EXPECT_EQ(JOSTLE_OK, jostle_game_get_hash(game(), &hash)) << jostle_last_error();
    return hash;
  }

  jostle_server handle{};
};

/// A folder that is removed at the end of the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jostle-api-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace jostle::api_test
