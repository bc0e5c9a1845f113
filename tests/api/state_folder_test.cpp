#include "tests/api/server_support.h"

#include <jostle/client.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace jostle::api_test {
namespace {

/// Waits until a condition holds. Returns false after a minute.
bool wait_until(const std::function<bool()>& is_met) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::minutes(1);
  while (Clock::now() < end) {
    if (is_met()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

class StateFolderTest : public ::testing::Test {
 protected:
  StateFolderTest() : def_(server_def(make_scene())), path_(folder_.file("state")) {
    def_.rules = &rule_;
    def_.rule_count = 1;
    def_.state_folder = path_.c_str();
  }
  ~StateFolderTest() override { jostle_scene_destroy(def_.scene); }

  Folder folder_;
  jostle_rule_def rule_ = Goals::rule();
  jostle_server_def def_;
  std::string path_;
};

TEST_F(StateFolderTest, TheGameContinuesAfterARestartWithTheSameBits) {
  jostle_server_def plain_def = def_;
  plain_def.state_folder = nullptr;
  const Server plain(plain_def);
  plain.step(200);
  std::uint64_t hash = 0;
  {
    const Server server(def_);
    EXPECT_EQ(0U, server.info().restored_tick);
    server.step(90);
    hash = server.hash();
  }
  def_.ticks_per_second = 30;  // counts only while the folder is new
  def_.seed = 99;
  const Server server(def_);
  EXPECT_EQ(90U, server.info().restored_tick);
  EXPECT_EQ(90U, server.info().tick);
  EXPECT_EQ(hash, server.hash());
  ASSERT_EQ(1U, server.values().size());
  EXPECT_STREQ("goals", server.values()[0].name);
  server.step(110);
  EXPECT_EQ(plain.hash(), server.hash());
}

TEST_F(StateFolderTest, TheServerTellsTheNewestTickThatIsOnTheDisk) {
  {
    const Server server(def_);
    EXPECT_EQ(0U, server.info().durable_tick);
    server.step(60);
    // Ticks reach the disk in groups of 50 ms, which are 3 ticks.
    EXPECT_TRUE(wait_until([&] { return server.info().durable_tick == 60; }));
    server.step(1);
    EXPECT_EQ(60U, server.info().durable_tick);
  }
  def_.durability = JOSTLE_DURABILITY_STRICT;
  const Server server(def_);
  server.step(1);
  EXPECT_TRUE(wait_until([&] { return server.info().durable_tick == 62; }));
}

TEST_F(StateFolderTest, WithoutSyncsAndWithoutAFolderNoTickIsDurable) {
  def_.durability = JOSTLE_DURABILITY_NONE;
  const Server server(def_);
  server.step(60);
  EXPECT_EQ(0U, server.info().durable_tick);
  jostle_server_def plain_def = def_;
  plain_def.state_folder = nullptr;
  const Server plain(plain_def);
  plain.step(60);
  EXPECT_EQ(0U, plain.info().durable_tick);
}

TEST_F(StateFolderTest, ClientsLearnTheDurableTick) {
  const Server server(def_);
  jostle_client_def def;
  JOSTLE_ASSERT_OK(jostle_client_def_default(&def));
  const std::string address = "127.0.0.1:" + std::to_string(server.info().port);
  def.server = address.c_str();
  jostle_client client{};
  JOSTLE_ASSERT_OK(jostle_client_create(&def, &client));
  jostle_client_metrics metrics{};
  metrics.size = sizeof metrics;
  const bool is_known = wait_until([&] {
    JOSTLE_EXPECT_OK(jostle_server_poll(server, 0.01, nullptr));
    JOSTLE_EXPECT_OK(jostle_client_poll(client, 0));
    JOSTLE_EXPECT_OK(jostle_client_get_metrics(client, &metrics));
    return metrics.durable_tick > 0;
  });
  EXPECT_TRUE(is_known);
  EXPECT_LE(metrics.durable_tick, server.info().durable_tick);
  JOSTLE_EXPECT_OK(jostle_client_destroy(client));
}

TEST_F(StateFolderTest, IsRefusedIfItIsInUseOrHasOtherRules) {
  jostle_server other{};
  {
    const Server server(def_);
    server.step(5);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "another server uses",
                        jostle_server_create(&def_, &other));
  }
  def_.rule_count = 0;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "goals", jostle_server_create(&def_, &other));
  def_.state_folder = "";
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->state_folder is empty",
                      jostle_server_create(&def_, &other));
  def_.state_folder = path_.c_str();
  def_.durability = 3;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->durability",
                      jostle_server_create(&def_, &other));
}

/// Programs that were compiled with version 0.2.0 know fewer fields.
TEST_F(StateFolderTest, StructsWithoutItsFieldsAreAccepted) {
  jostle_server_def old;
  const std::size_t old_size = offsetof(jostle_server_def, state_folder);
  JOSTLE_ASSERT_OK(jostle_server_def_init(&old, old_size));
  EXPECT_EQ(old_size, old.size);
  old.port = 0;
  old.scene = def_.scene;
  old.state_folder = "";  // no part of the struct
  const Server server(old);
  server.step(1);
  jostle_server_info info{};
  info.size = offsetof(jostle_server_info, durable_tick);
  info.durable_tick = info.restored_tick = 7;
  JOSTLE_EXPECT_OK(jostle_server_get_info(server, &info));
  EXPECT_EQ(1U, info.tick);
  EXPECT_EQ(7U, info.durable_tick);
  EXPECT_EQ(7U, info.restored_tick);
}

}  // namespace
}  // namespace jostle::api_test
