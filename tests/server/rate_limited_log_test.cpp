#include "server/rate_limited_log.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::server {
namespace {

std::string lines_of(RateLimitedLog& log, std::string_view event, int count, std::int64_t from_us,
                     std::int64_t step_us) {
  testing::internal::CaptureStderr();
  for (int i = 0; i < count; ++i)
    log.write(from_us + i * step_us, base::LogLevel::Info, event, {{"number", i}});
  return testing::internal::GetCapturedStderr();
}

TEST(RateLimitedLog, LimitsTheRateOfLinesPerEvent) {
  RateLimitedLog log;
  const std::string flood = lines_of(log, "came", 100'000, 0, 100);  // ten seconds
  EXPECT_NEAR(static_cast<double>(std::count(flood.begin(), flood.end(), '\n')),
              (50 + 10 * 10) + 10 * 10, 3.0)
      << "including the lines about suppressed lines";
  EXPECT_NE(lines_of(log, "went", 1, 10'000'000, 0).find("info went number=0"), std::string::npos)
      << "each event has its own limit";
}

TEST(RateLimitedLog, ReportsTheNumberOfSuppressedLines) {
  RateLimitedLog log;
  lines_of(log, "came", 80, 0, 0);
  EXPECT_EQ(lines_of(log, "came", 1, 1'000'000, 0),
            "info came number=0\nwarn log lines suppressed event=came count=30\n");
}

TEST(RateLimitedLog, LinesBelowTheLogLevelDoNotCountAsSuppressed) {
  RateLimitedLog log;
  base::set_log_threshold(base::LogLevel::Warn);
  EXPECT_EQ(lines_of(log, "came", 100, 0, 0), "");
  base::set_log_threshold(base::LogLevel::Info);
  EXPECT_EQ(lines_of(log, "came", 1, 0, 0), "info came number=0\n");
}

}  // namespace
}  // namespace jostle::server
