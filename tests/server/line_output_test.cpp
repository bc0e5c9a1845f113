#include "server/line_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace jostle::server {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  std::string read_all() {
    ::close(ends[1]);
    ends[1] = -1;
    std::string text;
    std::array<char, 4'096> part{};
    for (ssize_t got = 1; (got = ::read(ends[0], part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(got));
    return text;
  }
  std::array<int, 2> ends{};
};

TEST(LineOutput, WritesLinesInOrder) {
  Pipe pipe;
  {
    LineOutput output(pipe.ends[1], "stderr");
    for (int i = 0; i < 100; ++i)
      output.write("line " + std::to_string(i) + "\n");
    EXPECT_TRUE(output.flush(60));
  }
  const std::string text = pipe.read_all();
  EXPECT_TRUE(text.starts_with("line 0\nline 1\n"));
  EXPECT_TRUE(text.ends_with("line 99\n"));
}

// A pipe that is not read. Before, the write blocked, and with it the world.
TEST(LineOutput, DropsAndCountsLinesInsteadOfWaitingForAFullPipe) {
  Pipe pipe;
  ASSERT_GE(::fcntl(pipe.ends[1], F_SETPIPE_SZ, 4'096), 0);
  const std::string line = std::string(999, 'x') + "\n";
  std::string text;
  {
    LineOutput output(pipe.ends[1], "stderr", 20'000);
    for (int i = 0; i < 1'000; ++i)
      output.write(line);
    EXPECT_GT(output.dropped(), 800U);
    EXPECT_FALSE(output.flush(0.05));
    // The reader comes back, and the next line says how many are missing.
    std::array<char, 4'096> part{};
    ::fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
    const auto take = [&] {
      for (ssize_t got = 1; (got = ::read(pipe.ends[0], part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(got));
    };
    while (!output.flush(0.05))
      take();
    // The last lines may fill the pipe.
    take();
    output.write("again\n");
    EXPECT_TRUE(output.flush(60));
    ::fcntl(pipe.ends[0], F_SETFL, 0);
  }
  text += pipe.read_all();
  EXPECT_NE(text.find("warn lines dropped output=stderr count="), std::string::npos);
  EXPECT_TRUE(text.ends_with("again\n"));
}

TEST(LineOutput, EndsAlthoughNobodyReads) {
  Pipe pipe;
  LineOutput output(pipe.ends[1], "stderr");
  for (int i = 0; i < 200; ++i)
    output.write(std::string(999, 'x') + "\n");
}

}  // namespace
}  // namespace jostle::server
