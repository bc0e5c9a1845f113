#include "tests/fuzz/api_calls.h"

#include <jostle/client.h>
#include <jostle/server.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace jostle::fuzz_api {
namespace {

constexpr const char* scene_text =
    R"({"name": "s", "spawns": [{"position": [0, 5, 0]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "ball", "position": [0, 2, 0], "shapes": [{"sphere": {"radius": 1}}]}]})";

/// Calls a function that reads a game, which may be that of a rule.
void read_game(Session& s, jostle_game game) {
  jostle_game_info info;
  info.size = sizeof info - s.input().choice(2);
  jostle_input input;
  input.size = sizeof input;
  std::array<jostle_player, 2> players{};
  std::array<jostle_value, 3> values{};
  std::size_t count = 0;
  std::uint64_t hash = 0;
  std::uint32_t id = 0;
  jostle_body body{};
  char name[4];
  if (s.check(jostle_game_get_info(game, &info)) && s.worlds.size() < Session::max_worlds)
    s.worlds.push_back(info.world);
  s.check(jostle_game_get_scene_name(game, name, s.input().choice(5)));
  s.check(jostle_game_get_hash(game, &hash));
  s.check(jostle_game_get_players(game, players.data(), s.input().choice(2) * 3,
                                  s.input().choice(3), &count));
  s.check(jostle_game_get_player(game, s.input().u8(), players.data()));
  s.check(jostle_game_get_input(game, s.input().u8(), &input));
  s.check(
      jostle_game_get_values(game, s.input().u8(), values.data(), 0, s.input().choice(4), &count));
  if (s.check(jostle_game_find_body(game, "ball", &body))) {
    s.bodies.push_back(body);
    JOSTLE_ASSERT(s.check(jostle_game_get_body_id(game, body, &id)));
    JOSTLE_ASSERT(s.check(jostle_game_get_body(game, id, &body)));
  }
  s.check(jostle_game_get_body(game, s.input().u8(), &body));
  s.check(jostle_game_get_body_id(game, s.any(s.bodies), &id));
}

void spawn(Session& s, jostle_game game) {
  jostle_body_def def;
  jostle_shape_def shape;
  jostle_look look;
  jostle_body_def_default(&def);
  jostle_shape_def_default(&shape);
  jostle_look_default(&look);
  look.name = "spawned";
  s.mutate(def);
  s.mutate(shape);
  s.mutate(look.red, 4);
  jostle_body body{};
  if (s.check(jostle_game_spawn(game, &def, &shape, s.input().choice(2), &look, &body)))
    s.bodies.push_back(body);
}

/// Calls a function that only rules may call.
void change_game(Session& s, jostle_game game) {
  std::uint32_t number = 0;
  jostle_value value{static_cast<jostle_value_kind>(s.input().choice(4)), s.number(), "", "text"};
  value.name[0] = static_cast<char>(s.input().u8());
  switch (s.input().choice(5)) {
    case 0:
      s.check(jostle_game_random(game, &number));
      return;
    case 1:
      s.check(jostle_game_show(game, s.input().choice(3), &value));
      return;
    case 2:
      s.check(jostle_game_hide(game, s.input().choice(3), value.name));
      return;
    case 3:
      s.check(jostle_game_despawn(game, s.any(s.bodies)));
      return;
    default:
      spawn(s, game);
  }
}

/// A function of a rule, which makes any calls itself.
void play(void* user, void*, jostle_game game) {
  Session& s = *static_cast<Session*>(user);
  if (s.input().is_empty()) return;
  s.games.push_back(game);
  read_game(s, game);
  change_game(s, game);
  call_body(s);
  call_query(s);
}
void play_with_player(void* user, void* state, jostle_game game, std::uint32_t) {
  play(user, state, game);
}

jostle_rule_def rule_of(Session& s) {
  jostle_rule_def rule;
  jostle_rule_def_default(&rule);
  rule.name = s.input().u8() > 240 ? "shots" : "fuzz";
  rule.user = &s;
  rule.state_size = s.input().u8();
  rule.player_joined = play_with_player;
  rule.before_step = play;
  rule.after_step = s.input().boolean() ? play : nullptr;
  rule.reset = s.input().boolean() ? play : nullptr;
  return rule;
}

void create_server(Session& s) {
  if (s.has_created_server) return;
  s.has_created_server = true;
  jostle_scene scene{};
  if (!s.check(jostle_scene_create(scene_text, std::strlen(scene_text), nullptr, &scene))) return;
  const jostle_rule_def rule = rule_of(s);
  jostle_server_def def;
  jostle_server_def_default(&def);
  def.ticks_per_second = static_cast<std::int32_t>(s.input().u8());
  def.max_players = s.input().u8();
  def.sync_test_ticks = s.input().choice(3);
  def.recent_seconds = s.input().choice(2);
  def.is_sandbox = s.boolean();
  def.is_lockstep = s.boolean();
  def.scene = scene;
  def.port = 0;
  def.rules = &rule;
  def.rule_count = s.input().choice(2);
  jostle_server server{};
  if (s.check(jostle_server_create(&def, &server))) s.servers.push_back(server);
  s.check(jostle_scene_destroy(scene));
}

void use_server(Session& s) {
  const jostle_server server = s.any(s.servers);
  jostle_server_info info;
  info.size = sizeof info;
  jostle_game game{};
  s.check(jostle_server_get_info(server, &info));
  if (s.check(jostle_server_get_game(server, &game))) s.games.push_back(game);
  s.check(jostle_server_control(server, static_cast<jostle_control>(s.input().choice(7)),
                                s.input().choice(3)));
  s.check(jostle_server_step(server, s.input().choice(4)));
  s.check(jostle_server_poll(server, 0, nullptr));
  if (s.input().u8() > 250) s.check(jostle_server_destroy(server));
}

void use_game(Session& s) {
  const jostle_game game = s.any(s.games);
  read_game(s, game);
  change_game(s, game);
}

/// A recording of a short run, which all inputs share.
class RecordedRun {
 public:
  RecordedRun() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jostle-fuzz-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ / "run.jrec";
    jostle_server_def def;
    jostle_server_def_default(&def);
    JOSTLE_ASSERT(jostle_scene_create(scene_text, std::strlen(scene_text), nullptr, &def.scene) ==
                  JOSTLE_OK);
    def.port = 0;
    def.recording_file = path_.c_str();
    jostle_server server{};
    constexpr std::uint32_t ticks = 40;
    JOSTLE_ASSERT(jostle_server_create(&def, &server) == JOSTLE_OK);
    JOSTLE_ASSERT(jostle_server_step(server, ticks) == JOSTLE_OK);
    JOSTLE_ASSERT(jostle_server_destroy(server) == JOSTLE_OK);
    JOSTLE_ASSERT(jostle_scene_destroy(def.scene) == JOSTLE_OK);
  }
  ~RecordedRun() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;
  const char* path() const { return path_.c_str(); }

 private:
  std::filesystem::path folder_, path_;
};

void open_recording(Session& s) {
  static const RecordedRun run;
  const jostle_rule_def rule = rule_of(s);
  const bool is_there = s.input().u8() > 60;
  jostle_recording opened{};
  // A program with another rule is refused.
  if (s.recordings.size() < 2 &&
      s.check(jostle_recording_open(is_there ? run.path() : "/does/not/exist.jrec", &rule,
                                    s.input().u8() > 200, &opened)))
    s.recordings.push_back(opened);
  jostle_verification verified;
  verified.size = sizeof verified;
  if (s.input().u8() > 200)
    s.check(jostle_recording_verify(run.path(), nullptr, 0, &verified, nullptr, 0));
}

/// A replay function whose answers the input chooses.
jostle_bool goes_on(void* user) {
  return static_cast<Session*>(user)->input().u8() > 20 ? 1 : 0;
}

void use_recording(Session& s) {
  if (s.input().u8() < 60) return open_recording(s);
  const jostle_recording recording = s.any(s.recordings);
  jostle_recording_info info;
  info.size = sizeof info;
  jostle_game game{};
  std::uint64_t hash = 0;
  jostle_set_replay_function(s.input().boolean() ? goes_on : nullptr, &s);
  s.check(jostle_recording_get_info(recording, &info));
  s.check(jostle_recording_step(recording));
  s.check(jostle_recording_seek(recording, s.input().u8() % 50));
  jostle_set_replay_function(nullptr, nullptr);
  if (s.check(jostle_recording_get_game(recording, &game))) {
    s.games.push_back(game);
    JOSTLE_ASSERT(s.check(jostle_game_get_hash(game, &hash)));
  }
  // A replay that calls may not change does not differ from the recording.
  if (s.check(jostle_recording_get_info(recording, &info)))
    JOSTLE_ASSERT(info.differing_ticks == 0);
  if (s.input().u8() > 200) s.check(jostle_recording_close(recording));
}

void create_client(Session& s) {
  if (!s.clients.empty()) return;
  jostle_client_def def;
  jostle_client_def_default(&def);
  std::string address = "127.0.0.1:9";
  if (s.input().u8() > 250) address[s.input().u8() % address.size()] = ':';
  def.server = address.c_str();
  def.role = static_cast<jostle_role>(s.input().choice(3));
  def.precision = static_cast<jostle_precision>(s.input().choice(4));
  jostle_client client{};
  if (s.check(jostle_client_create(&def, &client))) s.clients.push_back(client);
}

void use_client(Session& s) {
  const jostle_client client = s.any(s.clients);
  jostle_input input;
  jostle_input_default(&input);
  s.mutate(input);
  const jostle_action action{static_cast<jostle_action_kind>(s.input().choice(6)), s.input().u8(),
                             s.vector(), s.vector()};
  jostle_interest interest;
  jostle_interest_default(&interest);
  s.mutate(interest);
  jostle_client_arrays arrays;
  jostle_client_arrays_default(&arrays);
  std::array<double, 6> positions{};
  arrays.positions = positions.data();
  arrays.positions_stride = s.input().u8();
  std::size_t count = 0;
  jostle_client_status status;
  status.size = sizeof status;
  s.check(jostle_client_set_input(client, &input));
  s.check(jostle_client_act(client, &action));
  s.check(jostle_client_set_interest(client, &interest));
  s.check(jostle_client_read(client, &arrays, s.input().choice(3), &count));
  s.check(jostle_client_get_triangles(client, s.input().u8(), s.input().u8(), nullptr, 0, &count));
  s.check(jostle_client_control(client, static_cast<jostle_control>(s.input().choice(7)), 0));
  s.check(jostle_client_poll(client, 0));
  s.check(jostle_client_get_status(client, &status));
  if (s.input().u8() > 250) s.check(jostle_client_destroy(client));
}

}  // namespace

void call_server(Session& s) {
  switch (s.input().choice(8)) {
    case 0:
      return create_server(s);
    case 1:
      return create_client(s);
    case 2:
      return use_client(s);
    case 3:
      return use_recording(s);
    case 4:
    case 5:
      return use_game(s);
    default:
      return use_server(s);
  }
}

void destroy_servers(Session& s) {
  for (const jostle_server server : s.servers)
    jostle_server_destroy(server);
  for (const jostle_client client : s.clients)
    jostle_client_destroy(client);
  for (const jostle_recording recording : s.recordings)
    jostle_recording_close(recording);
}

}  // namespace jostle::fuzz_api
