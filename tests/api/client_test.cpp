#include "tests/api/server_support.h"

#include <gmock/gmock.h>
#include <jostle/client.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <utility>

namespace jostle::api_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A client for one test, which is updated alternately with a server.
class Client {
 public:
  Client(const Server& server, const char* name, jostle_role role = JOSTLE_ROLE_PLAYER)
      : server_(server) {
    jostle_client_def def;
    EXPECT_EQ(JOSTLE_OK, jostle_client_def_default(&def));
    const std::string address = "127.0.0.1:" + std::to_string(server.info().port);
    def.server = address.c_str();
    def.name = name;
    def.role = role;
    EXPECT_EQ(JOSTLE_OK, jostle_client_create(&def, &handle)) << jostle_last_error();
  }
  ~Client() {
    if (jostle_client_is_alive(handle) == 1) jostle_client_destroy(handle);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  operator jostle_client() const { return handle; }  // NOLINT: implicit on purpose

  jostle_client_status status() const {
    jostle_client_status status{};
    status.size = sizeof status;
    EXPECT_EQ(JOSTLE_OK, jostle_client_get_status(handle, &status)) << jostle_last_error();
    return status;
  }
  std::vector<jostle_value> values() const {
    std::vector<jostle_value> values(JOSTLE_MAX_VALUES);
    std::size_t count = 0;
    EXPECT_EQ(JOSTLE_OK, jostle_client_get_values(handle, values.data(), 0, values.size(), &count));
    values.resize(count);
    return values;
  }
  /// Runs the server and the client until the condition holds. Returns false after a minute.
  bool run_until(const std::function<bool()>& condition) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end || ::testing::Test::HasFailure()) return false;
      EXPECT_EQ(JOSTLE_OK, jostle_server_poll(server_, 0, nullptr)) << jostle_last_error();
      EXPECT_EQ(JOSTLE_OK, jostle_client_poll(handle, 0.001)) << jostle_last_error();
    }
    return true;
  }
  bool run_until_playing() const {
    return run_until([&] { return status().state == JOSTLE_CLIENT_PLAYING; });
  }

  jostle_client handle{};

 private:
  const Server& server_;
};

/// A rule that records what players do.
struct Seen {
  std::int32_t joined, left;
  std::uint8_t custom, is_moving;
  std::uint8_t unused[2];

  static void joined_function(void*, void* state, jostle_game game, std::uint32_t player) {
    ++static_cast<Seen*>(state)->joined;
    jostle_player found{};
    JOSTLE_EXPECT_OK(jostle_game_get_player(game, player, &found));
    EXPECT_NE(0U, found.body.index);
    jostle_value value{JOSTLE_VALUE_TEXT, 0, "welcome", ""};
    std::snprintf(value.text, sizeof value.text, "Hello %.20s", found.name);
    JOSTLE_EXPECT_OK(jostle_game_show(game, player, &value));
  }
  static void left_function(void*, void* state, jostle_game, std::uint32_t) {
    ++static_cast<Seen*>(state)->left;
  }
  static void before_step(void*, void* state, jostle_game game) {
    auto& seen = *static_cast<Seen*>(state);
    std::vector<jostle_player> players(info_of(game).player_count);
    std::size_t count = 0;
    JOSTLE_EXPECT_OK(jostle_game_get_players(game, players.data(), 0, players.size(), &count));
    for (const jostle_player& player : players) {
      jostle_input input{};
      input.size = sizeof input;
      JOSTLE_EXPECT_OK(jostle_game_get_input(game, player.id, &input));
      if (input.custom_size == 2) seen.custom = input.custom[1];
      if (input.move_x > 0.5f) seen.is_moving = 1;
    }
    const jostle_value value{JOSTLE_VALUE_DURATION, static_cast<float>(seen.custom), "custom", ""};
    JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &value));
    const jostle_value left{JOSTLE_VALUE_NUMBER, static_cast<float>(seen.left), "left", ""};
    JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &left));
    const jostle_value moving{JOSTLE_VALUE_NUMBER, static_cast<float>(seen.is_moving), "moves", ""};
    JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &moving));
  }
  static jostle_rule_def rule() {
    jostle_rule_def def = rule_def("seen");
    def.state_size = sizeof(Seen);
    def.player_joined = joined_function;
    def.player_left = left_function;
    def.before_step = before_step;
    return def;
  }
};

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() : def_(server_def(make_scene())) {
    def_.rules = &rule_;
    def_.rule_count = 1;
    server_.emplace(def_);
  }
  ~ClientTest() override {
    server_.reset();
    jostle_scene_destroy(def_.scene);
  }

  jostle_rule_def rule_ = Seen::rule();
  jostle_server_def def_;
  std::optional<Server> server_;
};

const jostle_value* find(const std::vector<jostle_value>& values, const std::string& name) {
  for (const jostle_value& value : values)
    if (name == value.name) return &value;
  return nullptr;
}

TEST_F(ClientTest, ReadsThePosesOfTheServer) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until_playing()) << client.status().text;
  std::size_t count = 0;
  jostle_client_arrays arrays;
  JOSTLE_EXPECT_OK(jostle_client_arrays_default(&arrays));
  JOSTLE_EXPECT_OK(jostle_client_read(client, &arrays, 0, &count));
  ASSERT_EQ(3U, count);  // the floor, the ball and the player
  struct Row {
    double position[3];
    float rotation[4];
    std::uint32_t id;
    std::uint8_t is_awake;
  } rows[3];
  arrays.positions = rows[0].position;
  arrays.rotations = rows[0].rotation;
  arrays.ids = &rows[0].id;
  arrays.awake = &rows[0].is_awake;
  arrays.positions_stride = arrays.rotations_stride = sizeof(Row);
  arrays.ids_stride = arrays.awake_stride = sizeof(Row);
  JOSTLE_EXPECT_OK(jostle_client_read(client, &arrays, 3, &count));
  std::uint32_t ball = 0;
  JOSTLE_EXPECT_OK(jostle_client_find_body(client, "ball", &ball));
  EXPECT_EQ(ball, rows[1].id);
  jostle_pose pose{};
  JOSTLE_EXPECT_OK(jostle_client_get_pose(client, ball, &pose));
  EXPECT_EQ(rows[1].position[0], pose.position.x);
  EXPECT_EQ(rows[1].rotation[3], pose.rotation.w);
  EXPECT_NEAR(0.5, pose.position.y, 0.05);
  EXPECT_EQ(1, rows[1].is_awake);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_BUFFER_TOO_SMALL, "needed: 3",
                      jostle_client_read(client, &arrays, 2, &count));
  arrays.positions_stride = 8;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "stride",
                      jostle_client_read(client, &arrays, 3, &count));
}

TEST_F(ClientTest, DescribesBodiesAndTheirShapes) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until_playing()) << client.status().text;
  std::uint32_t ball = 0, own = 0;
  JOSTLE_EXPECT_OK(jostle_client_find_body(client, "ball", &ball));
  JOSTLE_EXPECT_OK(jostle_client_get_own_body(client, &own));
  jostle_client_body body{};
  body.size = sizeof body;
  JOSTLE_EXPECT_OK(jostle_client_get_body(client, ball, &body));
  EXPECT_EQ(2, body.motion);
  EXPECT_EQ(1U, body.shape_count);
  EXPECT_EQ(0U, body.owner);
  JOSTLE_EXPECT_OK(jostle_client_get_body(client, own, &body));
  EXPECT_EQ(client.status().player, body.owner);
  jostle_client_shape shape{};
  std::size_t count = 0;
  JOSTLE_EXPECT_OK(jostle_client_get_shapes(client, ball, &shape, 0, 1, &count));
  EXPECT_EQ(0, shape.kind);
  EXPECT_FLOAT_EQ(0.5f, shape.radius);
  JOSTLE_EXPECT_OK(jostle_client_get_triangles(client, ball, 0, nullptr, 0, &count));
  ASSERT_EQ(0U, count % 3);
  std::vector<jostle_vec3> corners(count);
  JOSTLE_EXPECT_OK(jostle_client_get_triangles(client, ball, 0, corners.data(), count, &count));
  for (const jostle_vec3& corner : corners)
    EXPECT_NEAR(0.5f, std::hypot(corner.x, corner.y, corner.z), 0.02f);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "1 shapes",
                      jostle_client_get_triangles(client, ball, 1, nullptr, 0, &count));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "body_id is 999",
                      jostle_client_get_body(client, 999, &body));
}

TEST_F(ClientTest, InputsReachTheRulesAndValuesReachTheClient) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until_playing()) << client.status().text;
  jostle_input input;
  JOSTLE_EXPECT_OK(jostle_input_default(&input));
  input.move_x = 1;
  input.custom_size = 2;
  input.custom[1] = 42;
  JOSTLE_EXPECT_OK(jostle_client_set_input(client, &input));
  const auto shows = [&](const char* name, float number) {
    const auto values = client.values();
    const jostle_value* const value = find(values, name);
    return value != nullptr && value->number == number;
  };
  ASSERT_TRUE(client.run_until([&] { return shows("custom", 42) && shows("moves", 1); }));
  const auto values = client.values();
  EXPECT_EQ(JOSTLE_VALUE_DURATION, find(values, "custom")->kind);
  ASSERT_NE(nullptr, find(values, "welcome"));
  EXPECT_STREQ("Hello Ada", find(values, "welcome")->text);
}

TEST_F(ClientTest, ValuesOfOnePlayerAreNotShownToAnother) {
  const Client ada(*server_, "Ada"), spectator(*server_, "Eve", JOSTLE_ROLE_SPECTATOR);
  ASSERT_TRUE(ada.run_until([&] {
    jostle_client_poll(spectator, 0);
    return find(ada.values(), "welcome") != nullptr && find(spectator.values(), "left") != nullptr;
  }));
  EXPECT_EQ(nullptr, find(spectator.values(), "welcome"));
  EXPECT_EQ(0U, spectator.status().player);
}

TEST_F(ClientTest, DestroyedClientLeavesTheGame) {
  const Client ada(*server_, "Ada"), spectator(*server_, "Eve", JOSTLE_ROLE_SPECTATOR);
  ASSERT_TRUE(ada.run_until([&] {
    jostle_client_poll(spectator, 0);
    return ada.status().state == JOSTLE_CLIENT_PLAYING &&
           spectator.status().state == JOSTLE_CLIENT_PLAYING;
  }));
  JOSTLE_EXPECT_OK(jostle_client_destroy(ada));
  ASSERT_TRUE(spectator.run_until([&] {
    const auto values = spectator.values();
    const jostle_value* const left = find(values, "left");
    return left != nullptr && left->number == 1;
  }));
}

TEST_F(ClientTest, ActionPushesABody) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until_playing()) << client.status().text;
  jostle_action action{JOSTLE_ACTION_PUSH, 0, {0, 0, 0}, {0, 2000, 0}};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "action.body_id",
                      jostle_client_act(client, &action));
  JOSTLE_EXPECT_OK(jostle_client_find_body(client, "ball", &action.body_id));
  JOSTLE_EXPECT_OK(jostle_client_act(client, &action));
  EXPECT_TRUE(client.run_until([&] {
    jostle_pose pose{};
    jostle_client_get_pose(client, action.body_id, &pose);
    return pose.position.y > 0.7;
  }));
}

TEST_F(ClientTest, RefusedControlArrivesAsANotice) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until_playing()) << client.status().text;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "number",
                      jostle_client_control(client, JOSTLE_CONTROL_PAUSE, 1));
  JOSTLE_EXPECT_OK(jostle_client_control(client, JOSTLE_CONTROL_PAUSE, 0));
  char text[200] = "";
  EXPECT_TRUE(client.run_until([&] {
    JOSTLE_EXPECT_OK(jostle_client_take_notice(client, text, sizeof text));
    return text[0] != '\0';
  }));
  EXPECT_EQ(0, client.status().is_paused);
  EXPECT_THAT(text, HasSubstr("is_sandbox"));
  EXPECT_THAT(text, Not(HasSubstr("--")));
}

TEST_F(ClientTest, MetricsDescribeTheConnection) {
  const Client client(*server_, "Ada");
  ASSERT_TRUE(client.run_until([&] {
    jostle_client_metrics metrics{};
    metrics.size = sizeof metrics;
    JOSTLE_EXPECT_OK(jostle_client_get_metrics(client, &metrics));
    return metrics.snapshots > 5 && metrics.server_tick > metrics.shown_tick &&
           metrics.shown_tick > 1 && metrics.bytes_down > 100;
  }));
  char name[32];
  JOSTLE_EXPECT_OK(jostle_client_get_scene_name(client, name, sizeof name));
  EXPECT_STREQ("rolling", name);
}

TEST(ClientDefinition, IsChecked) {
  const auto refused = [](jostle_result result, const char* part, auto change) {
    jostle_client_def def;
    jostle_client_def_default(&def);
    change(def);
    jostle_client client{};
    JOSTLE_EXPECT_ERROR(result, part, jostle_client_create(&def, &client));
  };
  const jostle_result invalid = JOSTLE_ERROR_INVALID_ARGUMENT;
  refused(invalid, "def->name", [](auto& def) { def.name = ""; });
  refused(invalid, "def->role", [](auto& def) { def.role = 2; });
  refused(invalid, "def->precision", [](auto& def) { def.precision = -1; });
  refused(invalid, "def->server", [](auto& def) { def.server = "host:port"; });
  refused(JOSTLE_ERROR_NOT_FOUND, "1.2.3", [](auto& def) { def.server = "1.2.3"; });
  refused(invalid, "def->connect_seconds", [](auto& def) { def.connect_seconds = 0; });
  refused(invalid, "def->token", [](auto& def) { def.token = "no token"; });
  refused(invalid, "def->size", [](auto& def) { def.size = 3; });
}

TEST(ClientConnection, MessagesNameFieldsInsteadOfOptionsOfPrograms) {
  const Folder folder;
  const std::string absent = folder.file("absent"), keys = folder.file("keys");
  jostle_client_def def;
  jostle_client_def_default(&def);
  jostle_client client{};
  for (const auto& [field, name] :
       {std::pair(&jostle_client_def::shared_key_file, "shared_key_file"),
        std::pair(&jostle_client_def::key_file, "key_file")}) {
    jostle_client_def wrong = def;
    wrong.*field = absent.c_str();
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->" + std::string(name) + ": '",
                        jostle_client_create(&wrong, &client));
  }
  jostle_server_def plan = server_def(make_scene());
  plan.access = JOSTLE_ACCESS_TOKEN;
  plan.keys_folder = keys.c_str();
  const Server server(plan);
  jostle_scene_destroy(plan.scene);
  const Client refused(server, "Ada");
  EXPECT_TRUE(refused.run_until([&] { return refused.status().state == JOSTLE_CLIENT_FAILED; }));
  EXPECT_EQ(JOSTLE_FAILURE_TOKEN_REQUIRED, refused.status().failure);
  EXPECT_THAT(refused.status().text, HasSubstr("def->token"));
  EXPECT_THAT(refused.status().text, Not(HasSubstr("--")));
}

TEST(ClientConnection, FailsWithAReasonIfThereIsNoServer) {
  jostle_client_def def;
  jostle_client_def_default(&def);
  def.server = "127.0.0.1:1";
  def.connect_seconds = 1;
  jostle_client client{};
  JOSTLE_ASSERT_OK(jostle_client_create(&def, &client));
  jostle_client_status status{};
  status.size = sizeof status;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "has not failed", jostle_client_try_again(client));
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (status.state != JOSTLE_CLIENT_FAILED && std::chrono::steady_clock::now() < end) {
    JOSTLE_EXPECT_OK(jostle_client_poll(client, 0.1));
    JOSTLE_EXPECT_OK(jostle_client_get_status(client, &status));
  }
  EXPECT_EQ(JOSTLE_FAILURE_NO_ANSWER, status.failure);
  EXPECT_STRNE("", status.text);
  EXPECT_THAT(status.text, Not(HasSubstr("--")));
  JOSTLE_EXPECT_OK(jostle_client_try_again(client));
  JOSTLE_EXPECT_OK(jostle_client_destroy(client));
}

}  // namespace
}  // namespace jostle::api_test
