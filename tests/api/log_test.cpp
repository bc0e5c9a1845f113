// Tests of the log: one setting for both libraries, in C and C++.
#include "tests/api/server_support.h"

#include <jostle/server.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// A function of the libraries that no header declares. Both of them log through it.
extern "C" void jostle_send_log_line(jostle_log_level level, const char* line);

namespace jostle::api_test {
namespace {

struct Line {
  jostle_log_level level;
  std::string text;
};

void keep(void* user, jostle_log_level level, const char* line) {
  static_cast<std::vector<Line>*>(user)->push_back({level, line});
}

/// Shows what changes whenever the sync test goes back, so that the server logs an error.
void count_calls(void* user, void*, jostle_game game) {
  const jostle_value value{JOSTLE_VALUE_NUMBER, static_cast<float>(++*static_cast<int*>(user)),
                           "calls", ""};
  JOSTLE_EXPECT_OK(jostle_game_show(game, 0, &value));
}

void log_an_error() {
  int calls = 0;
  jostle_rule_def rule = rule_def("counter");
  rule.user = &calls;
  rule.after_step = count_calls;
  jostle_server_def def = server_def(make_scene());
  def.rules = &rule;
  def.rule_count = 1;
  def.sync_test_ticks = 2;
  jostle_server server{};
  JOSTLE_ASSERT_OK(jostle_server_create(&def, &server));
  JOSTLE_EXPECT_OK(jostle_server_step(server, 5));
  JOSTLE_EXPECT_OK(jostle_server_destroy(server));
  JOSTLE_EXPECT_OK(jostle_scene_destroy(def.scene));
}

/// Sets the log back at the end of a test.
class Log : public testing::Test {
 protected:
  ~Log() override { jostle_set_log(JOSTLE_LOG_INFO, nullptr, nullptr); }
};

TEST_F(Log, LinesGoToTheFunctionInsteadOfStderr) {
  std::vector<Line> lines;
  testing::internal::CaptureStderr();
  JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_DEBUG, keep, &lines));
  log_an_error();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].level, JOSTLE_LOG_ERROR);
  EXPECT_EQ(lines[0].text.rfind("sync test: hashes differ tick=", 0), 0U) << lines[0].text;
  EXPECT_EQ(lines[0].text.find('\n'), std::string::npos);
}

TEST_F(Log, LinesBelowTheLowestLevelAreLeftOut) {
  std::vector<Line> lines;
  JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_WARNING, keep, &lines));
  jostle_send_log_line(JOSTLE_LOG_INFO, "low");
  jostle_send_log_line(JOSTLE_LOG_WARNING, "high");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].text, "high");
}

TEST_F(Log, LevelNoneTurnsStderrOff) {
  testing::internal::CaptureStderr();
  log_an_error();
  EXPECT_NE(testing::internal::GetCapturedStderr(), "") << "lines go to stderr by default";
  JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_NONE, nullptr, nullptr));
  testing::internal::CaptureStderr();
  log_an_error();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Log, InvalidLevelsAreRefusedAndChangeNothing) {
  std::vector<Line> lines;
  JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_ERROR, keep, &lines));
  for (const jostle_log_level level : {0, 6, -1})
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "accepted: 1 to 5",
                        jostle_set_log(level, nullptr, nullptr));
  jostle_send_log_line(JOSTLE_LOG_ERROR, "kept");
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(Log, FunctionMayReplaceItselfAndItsOwnLinesAreLeftOut) {
  static int calls;
  calls = 0;
  const auto once = [](void*, jostle_log_level, const char*) {
    ++calls;
    jostle_send_log_line(JOSTLE_LOG_ERROR, "from the function");
    jostle_set_log(JOSTLE_LOG_NONE, nullptr, nullptr);
  };
  JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_INFO, once, nullptr));
  jostle_send_log_line(JOSTLE_LOG_ERROR, "first");
  jostle_send_log_line(JOSTLE_LOG_ERROR, "second");
  EXPECT_EQ(calls, 1);
}

TEST_F(Log, FunctionIsNotCalledAfterItWasReplaced) {
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    while (!is_over)
      jostle_send_log_line(JOSTLE_LOG_ERROR, "line");
  });
  for (int i = 0; i < 200; ++i) {
    auto lines = std::make_unique<std::vector<Line>>();
    JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_INFO, keep, lines.get()));
    JOSTLE_EXPECT_OK(jostle_set_log(JOSTLE_LOG_NONE, nullptr, nullptr));
    const std::size_t count = lines->size();
    std::this_thread::yield();
    EXPECT_EQ(lines->size(), count);
  }
  is_over = true;
  writer.join();
}

TEST_F(Log, CppFunctionGetsTheLinesAndItsExceptionsAreIgnored) {
  std::vector<std::string> lines;
  jostle::set_log(JOSTLE_LOG_ERROR, [&](jostle_log_level, std::string_view line) {
    lines.emplace_back(line);
    throw std::runtime_error("full");
  });
  jostle_send_log_line(JOSTLE_LOG_ERROR, "event key=value");
  jostle::set_log(JOSTLE_LOG_NONE);
  jostle_send_log_line(JOSTLE_LOG_ERROR, "later");
  EXPECT_EQ(lines, std::vector<std::string>{"event key=value"});
}

}  // namespace
}  // namespace jostle::api_test
