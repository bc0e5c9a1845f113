#include "tests/api/server_support.h"

#include <cstdio>
#include <cstring>
#include <fstream>

namespace jostle::api_test {
namespace {

/// Runs a server with the rule Goals for `ticks` ticks and records it. Returns the last hash.
std::uint64_t record(const std::string& path, std::uint32_t ticks, std::uint64_t seed = 0) {
  const jostle_rule_def rule = Goals::rule();
  jostle_server_def def = server_def(make_scene());
  def.rules = &rule;
  def.rule_count = 1;
  def.seed = seed;
  def.recording_file = path.c_str();
  const Server server(def);
  server.step(ticks);
  jostle_scene_destroy(def.scene);
  return server.hash();
}

TEST(Recording, IsReplayedByAProgramWithTheSameRules) {
  const Folder folder;
  const std::string path = folder.file("run.jrec");
  const std::uint64_t hash = record(path, 60);
  const jostle_rule_def rule = Goals::rule();
  jostle_recording recording{};
  JOSTLE_ASSERT_OK(jostle_recording_open(path.c_str(), &rule, 1, &recording));
  jostle_recording_info info{};
  info.size = sizeof info;
  JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
  EXPECT_EQ(0U, info.first_tick);
  EXPECT_EQ(60U, info.last_tick);
  EXPECT_EQ(60, info.ticks_per_second);
  EXPECT_EQ(1, info.is_closed);

  JOSTLE_EXPECT_OK(jostle_recording_seek(recording, 60));
  jostle_game game{};
  std::uint64_t replayed = 0;
  JOSTLE_EXPECT_OK(jostle_recording_get_game(recording, &game));
  JOSTLE_EXPECT_OK(jostle_game_get_hash(game, &replayed));
  EXPECT_EQ(hash, replayed);
  std::size_t count = 0;
  jostle_value value{};
  JOSTLE_EXPECT_OK(jostle_game_get_values(game, 0, &value, 0, 1, &count));
  EXPECT_STREQ("goals", value.name);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "ends with this tick",
                      jostle_recording_step(recording));

  JOSTLE_EXPECT_OK(jostle_recording_seek(recording, 5));
  JOSTLE_EXPECT_OK(jostle_recording_step(recording));
  JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
  EXPECT_EQ(6U, info.tick);
  EXPECT_EQ(0, info.differs);
  EXPECT_EQ(0U, info.differing_ticks);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "tick", jostle_recording_seek(recording, 61));
  JOSTLE_EXPECT_OK(jostle_recording_close(recording));
  EXPECT_EQ(0, jostle_recording_is_alive(recording));
}

TEST(Recording, IsRefusedByAProgramWithoutItsRules) {
  const Folder folder;
  const std::string path = folder.file("run.jrec");
  record(path, 5);
  jostle_recording recording{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "goals",
                      jostle_recording_open(path.c_str(), nullptr, 0, &recording));
}

void count_twice(void* user, void* state, jostle_game game) {
  const jostle_game_info info = info_of(game);
  Goals::after_step(user, state, game);
  if (info.tick == 31) ++static_cast<Goals*>(state)->count;
}

TEST(Recording, VerificationNamesTheFirstTickThatAnotherRuleChanges) {
  const Folder folder;
  const std::string path = folder.file("run.jrec");
  const std::uint64_t hash = record(path, 60);
  jostle_rule_def rule = Goals::rule();
  jostle_verification result{};
  result.size = sizeof result;
  char text[100];
  JOSTLE_EXPECT_OK(jostle_recording_verify(path.c_str(), &rule, 1, &result, text, sizeof text));
  EXPECT_EQ(1, result.is_same);
  EXPECT_EQ(60U, result.ticks);
  EXPECT_EQ(hash, result.last_hash);
  rule.after_step = count_twice;
  JOSTLE_EXPECT_OK(jostle_recording_verify(path.c_str(), &rule, 1, &result, text, sizeof text));
  EXPECT_EQ(0, result.is_same);
  EXPECT_EQ(31U, result.differing_tick);
  EXPECT_STREQ("rules", text);
}

TEST(Recording, ComparisonFindsTheFirstDifferentState) {
  const Folder folder;
  const std::string a = folder.file("a.jrec"), b = folder.file("b.jrec");
  const std::string other = folder.file("other.jrec");
  record(a, 20);
  record(b, 30);
  const jostle_rule_def rule = Goals::rule();
  jostle_comparison result{};
  result.size = sizeof result;
  char text[300];
  JOSTLE_EXPECT_OK(
      jostle_recording_compare(a.c_str(), b.c_str(), &rule, 1, &result, text, sizeof text));
  EXPECT_EQ(1, result.is_equal);
  EXPECT_EQ(20U, result.ticks);
  record(other, 30, 7);
  JOSTLE_EXPECT_OK(
      jostle_recording_compare(a.c_str(), other.c_str(), &rule, 1, &result, text, sizeof text));
  EXPECT_EQ(0, result.is_equal);
  EXPECT_EQ(1U, result.states_differ);
  EXPECT_NE(std::string::npos, std::string(text).find("cause: ")) << text;
}

/// A replay function that ends the replay after some ticks.
struct ReplayEnd {
  static jostle_bool goes_on(void* user) {
    return --static_cast<ReplayEnd*>(user)->ticks_left > 0 ? 1 : 0;
  }
  explicit ReplayEnd(int ticks) : ticks_left(ticks) { jostle_set_replay_function(goes_on, this); }
  ~ReplayEnd() { jostle_set_replay_function(nullptr, nullptr); }
  ReplayEnd(const ReplayEnd&) = delete;
  ReplayEnd& operator=(const ReplayEnd&) = delete;

  int ticks_left;
};

TEST(Recording, TheReplayFunctionEndsLongCalls) {
  const Folder folder;
  const std::string path = folder.file("run.jrec"), other = folder.file("other.jrec");
  record(path, 60);
  const jostle_rule_def rule = Goals::rule();
  jostle_recording recording{};
  JOSTLE_ASSERT_OK(jostle_recording_open(path.c_str(), &rule, 1, &recording));
  jostle_recording_info info{};
  info.size = sizeof info;
  {
    const ReplayEnd end(37);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INTERRUPTED, "jostle_recording_seek: the function",
                        jostle_recording_seek(recording, 50));
    JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
    EXPECT_EQ(30U, info.tick) << "a state that was kept";
    EXPECT_EQ(0U, info.differing_ticks);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INTERRUPTED, "jostle_recording_step: the function",
                        jostle_recording_step(recording));
  }
  // The recording is usable, and its game as well.
  JOSTLE_EXPECT_OK(jostle_recording_seek(recording, 60));
  JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
  EXPECT_EQ(60U, info.tick);
  EXPECT_EQ(0U, info.differing_ticks);
  jostle_game game{};
  JOSTLE_EXPECT_OK(jostle_recording_get_game(recording, &game));
  EXPECT_EQ(60U, info_of(game).tick);
  JOSTLE_EXPECT_OK(jostle_recording_close(recording));

  jostle_verification verified{};
  verified.size = sizeof verified;
  {
    const ReplayEnd end(7);
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INTERRUPTED, "jostle_recording_verify: the function",
                        jostle_recording_verify(path.c_str(), &rule, 1, &verified, nullptr, 0));
  }
  {
    ReplayEnd end(1'000);
    JOSTLE_EXPECT_OK(jostle_recording_verify(path.c_str(), &rule, 1, &verified, nullptr, 0));
    EXPECT_EQ(940, end.ticks_left) << "one call for each tick";
  }
  EXPECT_EQ(1, verified.is_same);

  record(other, 60, 7);
  jostle_comparison compared{};
  compared.size = sizeof compared;
  const ReplayEnd end(1);
  JOSTLE_EXPECT_ERROR(
      JOSTLE_ERROR_INTERRUPTED, "jostle_recording_compare: the function",
      jostle_recording_compare(path.c_str(), other.c_str(), &rule, 1, &compared, nullptr, 0));
}

bool is_load_refused = false;

std::size_t save_bytes(void* /*user*/, const void* state, void* buffer, std::size_t capacity) {
  if (sizeof(Goals) <= capacity) std::memcpy(buffer, state, sizeof(Goals));
  return sizeof(Goals);
}

jostle_bool load_unless_refused(void* /*user*/, void* state, const void* bytes, std::size_t size) {
  if (is_load_refused || size != sizeof(Goals)) return 0;
  std::memcpy(state, bytes, size);
  return 1;
}

TEST(Recording, SeekNamesARuleThatRefusesItsState) {
  const Folder folder;
  const std::string path = folder.file("run.jrec");
  record(path, 700);
  jostle_rule_def rule = Goals::rule();
  rule.save = save_bytes;
  rule.load = load_unless_refused;
  jostle_recording recording{};
  JOSTLE_ASSERT_OK(jostle_recording_open(path.c_str(), &rule, 1, &recording));
  JOSTLE_EXPECT_OK(jostle_recording_seek(recording, 650));
  is_load_refused = true;
  for (const std::uint32_t tick : {50U, 10U, 1U})
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "'goals' refused its state",
                        jostle_recording_seek(recording, tick));
  jostle_recording_info info{};
  info.size = sizeof info;
  JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
  EXPECT_EQ(650U, info.tick) << "a seek that fails changes nothing";
  is_load_refused = false;
  JOSTLE_EXPECT_OK(jostle_recording_seek(recording, 10));
  JOSTLE_EXPECT_OK(jostle_recording_get_info(recording, &info));
  EXPECT_EQ(10U, info.tick);
  JOSTLE_EXPECT_OK(jostle_recording_close(recording));
}

TEST(Recording, MainVerifiesComparesAndShows) {
  const Folder folder;
  std::string path = folder.file("run.jrec");
  record(path, 60);
  const jostle_rule_def rule = Goals::rule();
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "program");
    std::vector<char*> argv;
    for (std::string& word : words)
      argv.push_back(word.data());
    return jostle_recording_main(static_cast<int>(argv.size()), argv.data(), &rule, 1);
  };
  EXPECT_EQ(0, run({"verify", path}));
  EXPECT_EQ(0, run({"diff", path, path}));
  EXPECT_EQ(0, run({"show", path, "40"}));
  EXPECT_EQ(2, run({"show", path, "4x"}));
  EXPECT_EQ(2, run({"verify", path + "x"}));
  EXPECT_EQ(2, run({"fly"}));
  EXPECT_EQ(2, run({}));
}

TEST(Recording, DamagedFilesAreRefused) {
  const Folder folder;
  const std::string path = folder.file("damaged.jrec");
  std::ofstream(path) << "JREC, but nothing else";
  jostle_recording recording{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, path,
                      jostle_recording_open(path.c_str(), nullptr, 0, &recording));
}

TEST(Recording, RecentTicksAreSavedOnDemand) {
  const Folder folder;
  const jostle_rule_def rule = Goals::rule();
  jostle_server_def def = server_def(make_scene());
  def.rules = &rule;
  def.rule_count = 1;
  def.recent_seconds = 10;
  const Server server(def);
  char path[512];
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "no tick",
                      jostle_server_save_recent(server, folder.path().c_str(), path, sizeof path));
  server.step(12);
  JOSTLE_EXPECT_OK(jostle_server_save_recent(server, folder.path().c_str(), path, sizeof path));
  jostle_verification result{};
  result.size = sizeof result;
  JOSTLE_EXPECT_OK(jostle_recording_verify(path, &rule, 1, &result, nullptr, 0));
  EXPECT_EQ(1, result.is_same);
  EXPECT_EQ(12U, result.ticks);
  jostle_scene_destroy(def.scene);
}

}  // namespace
}  // namespace jostle::api_test
