#include "tests/api/server_support.h"

#include <atomic>
#include <fstream>
#include <thread>

namespace jostle::api_test {
namespace {

/// A definition with one rule. Members may be changed before a server is created.
struct Plan {
  explicit Plan(jostle_rule_def wanted) : rule(wanted), def(server_def(make_scene())) {
    def.rules = &rule;
    def.rule_count = 1;
  }
  ~Plan() { jostle_scene_destroy(def.scene); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  jostle_rule_def rule;
  jostle_server_def def;
};

TEST(Server, RuleCountsGoalsAndShowsThem) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  EXPECT_TRUE(server.values().empty());
  server.step(60);
  ASSERT_EQ(1U, server.values().size());
  EXPECT_STREQ("goals", server.values()[0].name);
  EXPECT_GE(server.values()[0].number, 4.0f);
  EXPECT_EQ(60U, info_of(server.game()).tick);
}

TEST(Server, ResetWithoutAFunctionForgetsWhatTheRuleRemembers) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  server.step(60);
  ASSERT_FALSE(server.values().empty());
  JOSTLE_EXPECT_OK(jostle_server_control(server, JOSTLE_CONTROL_RESET, 0));
  server.step(1);
  EXPECT_TRUE(server.values().empty());
}

TEST(Server, SyncTestRepeatsRulesOfTheProgram) {
  Plan plan(Goals::rule());
  plan.def.sync_test_ticks = 7;
  const Server server(plan.def);
  server.step(60);
  EXPECT_EQ(60U, server.info().sync_tests);
  EXPECT_EQ(0U, server.info().sync_mismatch);
}

/// A rule that remembers something outside of its state.
std::int32_t leaked_count = 0;
void count_outside(void*, void*, jostle_game game) {
  ++leaked_count;
  jostle_body_apply_central_impulse(info_of(game).world, body_named(game, "ball"),
                                    {0, static_cast<float>(leaked_count), 0});
}

TEST(Server, SyncTestFindsARuleThatRemembersOutsideOfItsState) {
  jostle_rule_def rule = rule_def("leak");
  rule.before_step = count_outside;
  Plan plan(rule);
  plan.def.sync_test_ticks = 3;
  const Server server(plan.def);
  server.step(10);
  EXPECT_NE(0U, server.info().sync_mismatch);
}

TEST(Server, RuleThatCannotLoadItsOwnSaveIsFoundByTheSyncTest) {
  jostle_rule_def rule = rule_def("refusing");
  rule.state_size = 4;
  rule.before_step = [](void*, void* state, jostle_game) { ++*static_cast<std::int32_t*>(state); };
  rule.save = [](void*, const void* state, void* buffer, size_t capacity) -> size_t {
    if (capacity >= 4) std::memcpy(buffer, state, 4);
    return 4;
  };
  rule.load = [](void*, void*, const void*, size_t) -> jostle_bool { return 0; };
  Plan plan(rule);
  plan.def.sync_test_ticks = 2;
  const Server server(plan.def);
  server.step(5);
  EXPECT_NE(0U, server.info().sync_mismatch);
}

TEST(Server, GameOfAServerIsReadOnlyBetweenSteps) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  server.step(3);
  const jostle_game_info info = info_of(server.game());
  const jostle_body ball = body_named(server.game(), "ball");
  jostle_pose pose{};
  JOSTLE_EXPECT_OK(jostle_body_get_pose(info.world, ball, &pose));
  EXPECT_GT(pose.position.x, 0.1);
  jostle_ray ray{{0, 5, 0}, {0, -10, 0}};
  jostle_cast_hit hit;
  JOSTLE_EXPECT_OK(jostle_world_cast_rays(info.world, &ray, 0, 1, nullptr, &hit, 0));
  EXPECT_EQ(1, hit.is_hit);
  const char* const only_rules = "only its rules";
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, only_rules,
                      jostle_body_set_pose(info.world, ball, &pose));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "belongs to a server",
                      jostle_world_step(info.world));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "belongs to a server",
                      jostle_world_destroy(info.world));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, only_rules,
                      jostle_game_despawn(server.game(), ball));
}

struct Forbidden {
  static void before_step(void*, void*, jostle_game game) {
    const jostle_world world = info_of(game).world;
    jostle_body body{};
    jostle_body_def def;
    jostle_body_def_default(&def);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "cannot be changed in this way",
                        jostle_body_create(world, &def, &body));
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "cannot be changed in this way",
                        jostle_body_destroy(world, body_named(game, "ball")));
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "cannot be changed in this way",
                        jostle_world_step(world));
    std::uint64_t hash = 0;
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "not complete",
                        jostle_game_get_hash(game, &hash));
  }
};

TEST(Server, RuleCannotCreateOrDestroyBodiesBehindTheServer) {
  jostle_rule_def rule = rule_def("forbidden");
  rule.before_step = Forbidden::before_step;
  Plan plan(rule);
  const Server server(plan.def);
  server.step(1);
}

struct Spawner {
  jostle_body body;
  static void before_step(void*, void* state, jostle_game game) {
    auto& own = *static_cast<Spawner*>(state);
    const std::uint32_t tick = info_of(game).tick;
    if (tick == 2) {
      jostle_body_def def;
      jostle_shape_def shape;
      jostle_look look;
      jostle_body_def_default(&def);
      jostle_shape_def_default(&shape);
      jostle_look_default(&look);
      look.name = "spawned";
      def.pose.position.y = 9;
      jostle_body_def far = def;
      far.pose.position.y = 1e8;  // no client could be told
      JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->pose.position",
                          jostle_game_spawn(game, &far, &shape, 1, &look, &own.body));
      JOSTLE_EXPECT_OK(jostle_game_spawn(game, &def, &shape, 1, &look, &own.body));
    }
    if (tick == 4) {
      JOSTLE_EXPECT_OK(jostle_game_despawn(game, own.body));
    }
  }
};

TEST(Server, RuleSpawnsAndDespawnsBodiesThatClientsKnow) {
  jostle_rule_def rule = rule_def("spawner");
  rule.state_size = sizeof(Spawner);
  rule.before_step = Spawner::before_step;
  Plan plan(rule);
  plan.def.sync_test_ticks = 2;
  const Server server(plan.def);
  const std::uint32_t before = info_of(server.game()).body_count;
  server.step(3);
  EXPECT_EQ(before + 1, info_of(server.game()).body_count);
  std::uint32_t id = 0;
  JOSTLE_EXPECT_OK(
      jostle_game_get_body_id(server.game(), body_named(server.game(), "spawned"), &id));
  jostle_body body{};
  JOSTLE_EXPECT_OK(jostle_game_get_body(server.game(), id, &body));
  server.step(1);
  EXPECT_EQ(before, info_of(server.game()).body_count);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "id is",
                      jostle_game_get_body(server.game(), id, &body));
  EXPECT_EQ(0U, server.info().sync_mismatch);
}

void draw_number(void*, void* state, jostle_game game) {
  JOSTLE_EXPECT_OK(jostle_game_random(game, static_cast<std::uint32_t*>(state)));
}

TEST(Server, RandomNumbersDependOnTheSeedAlone) {
  jostle_rule_def rule = rule_def("random");
  rule.state_size = sizeof(std::uint32_t);
  rule.before_step = draw_number;
  Plan plan(rule);
  std::vector<std::uint64_t> hashes;
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    plan.def.seed = seed;
    const Server server(plan.def);
    server.step(5);
    hashes.push_back(server.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], hashes[2]);
}

TEST(Server, RunEndsAfterStopOfAnotherThread) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  std::atomic<jostle_result> result{-1};
  std::thread runner([&] {
    // The call below may have the server at the moment in which run() asks for it.
    do {
      result = jostle_server_run(server);
    } while (result == JOSTLE_ERROR_BUSY);
  });
  while (true) {
    jostle_server_info info{};
    info.size = sizeof info;
    if (jostle_server_get_info(server, &info) == JOSTLE_ERROR_BUSY) break;
    std::this_thread::yield();
  }
  JOSTLE_EXPECT_OK(jostle_server_stop(server));
  runner.join();
  EXPECT_EQ(JOSTLE_OK, result);
}

TEST(Server, StopBeforeRunEndsTheNextRunOnly) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  JOSTLE_EXPECT_OK(jostle_server_stop(server));
  JOSTLE_EXPECT_OK(jostle_server_run(server));
  EXPECT_EQ(0U, server.info().tick);
}

TEST(Server, PollSimulatesTheTicksThatAreDue) {
  Plan plan(Goals::rule());
  const Server server(plan.def);
  std::uint32_t total = 0;
  while (total < 3) {
    std::uint32_t ticks = 0;
    JOSTLE_ASSERT_OK(jostle_server_poll(server, 0.05, &ticks));
    total += ticks;
  }
  EXPECT_EQ(total, server.info().tick);
}

TEST(Server, DefinitionIsChecked) {
  Plan plan(Goals::rule());
  jostle_server server{};
  const auto refused = [&](const char* part, auto change) {
    jostle_server_def def = plan.def;
    change(def);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, part, jostle_server_create(&def, &server));
  };
  refused("def->port", [](auto& def) { def.port = 65536; });
  refused("def->address", [](auto& def) { def.address = "no.address"; });
  refused("def->ticks_per_second", [](auto& def) { def.ticks_per_second = 5; });
  refused("def->max_sessions", [](auto& def) { def.max_sessions = 1; });
  refused("def->is_lockstep", [](auto& def) { def.is_lockstep = 1; });
  refused("def->is_sandbox", [](auto& def) { def.is_sandbox = 2; });
  refused("def->keys_folder", [](auto& def) { def.access = JOSTLE_ACCESS_TOKEN; });
  refused("def->shared_key_file", [](auto& def) { def.access = JOSTLE_ACCESS_SHARED_KEY; });
  refused("def->recording_file", [](auto& def) { def.recording_file = "run.txt"; });
  refused("def->is_on_lan", [](auto& def) { def.is_on_lan = 1; });
  refused("rules is null", [](auto& def) { def.rules = nullptr; });
  jostle_server_def def = plan.def;
  def.scene = {};
  def.scene_name = "no such scene";
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "no such scene",
                      jostle_server_create(&def, &server));
}

TEST(Server, MessagesNameFieldsInsteadOfOptionsOfPrograms) {
  const Folder folder;
  const std::string absent = folder.file("absent"), file = folder.file("file");
  std::ofstream(file) << "no folder";
  const Plan plan(Goals::rule());
  jostle_server server{};
  const auto refused = [&](const char* part, auto change) {
    jostle_server_def def = plan.def;
    change(def);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, part, jostle_server_create(&def, &server));
    EXPECT_EQ(std::string::npos, std::string(jostle_last_error()).find("--"))
        << jostle_last_error();
  };
  refused("def->is_insecure = 1", [](auto& def) { def.address = "0.0.0.0"; });
  refused("def->shared_key_file: '", [&](auto& def) {
    def.access = JOSTLE_ACCESS_SHARED_KEY;
    def.shared_key_file = absent.c_str();
  });
  refused("def->keys_folder: ", [&](auto& def) {
    def.access = JOSTLE_ACCESS_TOKEN;
    def.keys_folder = file.c_str();
  });
}

TEST(Server, RulesAreChecked) {
  const auto refused = [](const char* part, jostle_rule_def rule) {
    Plan plan(rule);
    jostle_server server{};
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, part,
                        jostle_server_create(&plan.def, &server));
  };
  refused("rules->name is null", rule_def(nullptr));
  refused("rules->name is ''", rule_def(""));
  refused("another rule with the name 'shots'", rule_def("shots"));
  jostle_rule_def rule = rule_def("large");
  rule.state_size = JOSTLE_MAX_RULE_STATE_BYTES + std::size_t{1};
  refused("state_size", rule);
  rule = rule_def("half");
  rule.save = [](void*, const void*, void*, size_t) -> size_t { return 0; };
  refused("only one of save and load", rule);
  rule = rule_def("pointer");
  rule.create = [](void*, void*) {};
  refused("needs save and load", rule);
}

void show_too_many(void*, void*, jostle_game game) {
  jostle_value value{JOSTLE_VALUE_TEXT, 0, "", "text"};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "name is empty",
                      jostle_game_show(game, 0, &value));
  for (int i = 0; i < JOSTLE_MAX_VALUES; ++i) {
    value.name[0] = static_cast<char>('a' + i);
    JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &value));
  }
  JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &value));  // replaces the last one
  value.name[0] = 'z';
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_LIMIT, "at most", jostle_game_show(game, 0, &value));
  JOSTLE_EXPECT_OK(jostle_game_hide(game, 0, "a"));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "no value 'a'", jostle_game_hide(game, 0, "a"));
  value.text[0] = '\n';
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "UTF-8", jostle_game_show(game, 0, &value));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "player is 9", jostle_game_show(game, 9, &value));
}

TEST(Server, ValuesAreCheckedAndLimited) {
  jostle_rule_def rule = rule_def("many values");
  rule.before_step = show_too_many;
  Plan plan(rule);
  const Server server(plan.def);
  server.step(1);
  EXPECT_EQ(JOSTLE_MAX_VALUES - 1U, server.values().size());
}

TEST(Server, HandlesOfDestroyedServersAndTheirGamesAreStale) {
  Plan plan(Goals::rule());
  jostle_server server{};
  jostle_game game{};
  JOSTLE_ASSERT_OK(jostle_server_create(&plan.def, &server));
  JOSTLE_ASSERT_OK(jostle_server_get_game(server, &game));
  const jostle_world world = info_of(game).world;
  JOSTLE_EXPECT_OK(jostle_server_destroy(server));
  EXPECT_EQ(0, jostle_server_is_alive(server));
  EXPECT_EQ(0, jostle_world_is_alive(world));
  std::uint64_t hash = 0;
  EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, jostle_game_get_hash(game, &hash));
  EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, jostle_server_step(server, 1));
  EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, jostle_server_stop(server));
}

}  // namespace
}  // namespace jostle::api_test
