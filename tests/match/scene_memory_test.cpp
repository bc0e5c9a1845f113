// A scene that needs more memory than there is must be refused, and the running world must go on. A
// separate program, because it replaces operator new and limits its own memory.
#include "shared/journal/executor.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <utility>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
thread_local std::uint64_t allocations = 0, failing = never;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations++ == failing) throw std::bad_alloc();
  const std::size_t padded =
      (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, padded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace jostle::match {
namespace {

using client::ClientState;

/// Runs jobs at once, between two functions.
class GuardedExecutor final : public journal::Executor {
 public:
  GuardedExecutor(std::function<void()> before, std::function<void()> after)
      : before_(std::move(before)), after_(std::move(after)) {}
  bool post(std::size_t /*bytes*/, std::function<void()> job) override {
    before_();
    job();
    after_();
    return true;
  }
  void at_end_of_batch(const void* /*owner*/, std::function<void()> /*function*/) override {}
  void forget(const void* /*owner*/) override {}
  bool drain(double /*seconds*/) override { return true; }

 private:
  std::function<void()> before_, after_;
};

std::string grid_scene(int width) {
  const std::string count = std::to_string(width);
  return R"({ "name": "grid",
    "bodies": [ { "name": "ground", "motion_type": "static", "shape": { "plane": {} } } ],
    "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } } } ],
    "generators": [ { "kind": "grid", "counts": [)" +
         count + ", 1, " + count + R"(],
      "spacing": [1, 1, 1], "position": [0, 0.4, 0], "body": { "template": "crate" } } ],
    "spawns": [ { "position": [0, 2, 0] } ] })";
}

MatchOptions sandbox(int width) {
  MatchOptions options;
  options.server.is_sandbox = true;
  options.server.max_players = 4;
  options.is_recorded = options.is_remembered = false;
  options.scenes.entries = {{"grid", "Many crates."}};
  options.scenes.load = [text = grid_scene(width)](const std::string& name) {
    return base::Result<scene::SceneDef, std::string>(scene::parse_scene(text, name).value());
  };
  return options;
}

constexpr const char* refusal = "scene 'grid' needs more memory than the server has";

TEST(SceneMemory, AnAllocationThatFailsRefusesTheSceneAndTheWorldGoesOn) {
  const MatchOptions options = sandbox(3);
  // Every allocation of a load fails in turn; the steps grow, because a load makes thousands.
  std::uint64_t refused = 0;
  for (std::uint64_t number = 0;; number += 1 + number / 8) {
    SCOPED_TRACE(number);
    bool has_failed = false;
    GuardedExecutor executor(
        [&] {
          allocations = 0;
          failing = number;
        },
        [&] {
          has_failed = has_failed || allocations > number;
          failing = never;
        });
    Match match(options);
    match.server().set_loading_executor(&executor);
    Seat& ann = match.add_client("Ann", protocol::Role::Player);
    ASSERT_TRUE(match.run_until_playing(5));
    ann.client->load_scene("grid");
    match.run_seconds(1);
    ASSERT_EQ(ann.client->status().state, ClientState::Playing);
    if (!has_failed) {
      EXPECT_EQ(match.simulation().scene().name, "grid");
      break;
    }
    ++refused;
    EXPECT_EQ(ann.client->take_notice(), refusal);
    EXPECT_EQ(match.simulation().scene().name, "match");
    const std::uint32_t before = match.simulation().tick().number;
    match.run_seconds(0.5);
    EXPECT_EQ(match.simulation().tick().number, before + 30);
  }
  EXPECT_GE(refused, 30U);
}

/// Returns the size of the address space of this process, in bytes.
std::uint64_t address_space_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4'096;
}

TEST(SceneMemory, ASceneBeyondTheMemoryLimitOfTheProcessIsRefused) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers need the address space";
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &unlimited), 0);
  bool is_limited = true;
  const auto limit = [&] {
    rlimit limited = unlimited;
    constexpr std::uint64_t spare_bytes = 4 << 20;
    limited.rlim_cur = address_space_bytes() + spare_bytes;
    if (is_limited) {
      EXPECT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
    }
  };
  GuardedExecutor executor(limit, [&] { EXPECT_EQ(::setrlimit(RLIMIT_AS, &unlimited), 0); });
  Match match(sandbox(99));
  match.server().set_loading_executor(&executor);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5));
  ann.client->load_scene("grid");
  match.run_seconds(2);
  EXPECT_EQ(ann.client->take_notice(), refusal);
  EXPECT_EQ(match.simulation().scene().name, "match");
  EXPECT_EQ(ann.client->status().state, ClientState::Playing);
  // With more memory, the same server loads the scene.
  is_limited = false;
  ann.client->load_scene("grid");
  EXPECT_TRUE(match.run_until([&] { return match.simulation().scene().name == "grid"; }, 60));
}

}  // namespace
}  // namespace jostle::match
