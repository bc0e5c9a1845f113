#include "shared/command_line/command_line.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::command_line {
namespace {

/// Parses `arguments` with a program that has nested commands, for example "tool bench physics".
/// Returns the early exit, or one with the text "accepted" if there is no error.
EarlyExit ending_of(std::vector<const char*> arguments) {
  Program program("tool", "A program for tests.");
  program.require_subcommand();
  const App bench = program.add_subcommand("bench", "");
  bench.require_subcommand();
  const App physics = bench.add_subcommand("physics", "");
  bench.add_subcommand("link", "");
  bench.add_subcommand("internal", "").group("");
  int count = 0;
  double seconds = 0;
  std::string scene, mode, only, folder, file;
  physics.add_option("--scene", scene).required();
  physics.add_option("--count", count).check(in_range(0, 65'535));
  physics.add_option("--seconds", seconds).check(in_range(0.5, 86'400.0));
  physics.add_option("--mode", mode).check(one_of({"a", "b", "c"}));
  physics.add_option("--peer", only).check(one_of({"bullet"}));
  physics.add_option("--folder", folder).check(is_folder());
  physics.add_option("--file", file).check(is_file());
  arguments.insert(arguments.begin(), "tool");
  const auto ending = program.parse(static_cast<int>(arguments.size()), arguments.data());
  return ending.value_or(EarlyExit{false, "accepted", {}});
}

std::string fault_of(const char* option, const char* value) {
  return ending_of({"bench", "physics", "--scene", "s", option, value}).text;
}

TEST(CommandLine, NamesTheAcceptedRangeOfANumber) {
  EXPECT_EQ(fault_of("--count", "65535"), "accepted");
  EXPECT_EQ(fault_of("--count", "abc"), "--count: 'abc' is not a whole number from 0 to 65535");
  EXPECT_EQ(fault_of("--count", "65536"), "--count: '65536' is not a whole number from 0 to 65535");
  EXPECT_EQ(fault_of("--count", "1.5"), "--count: '1.5' is not a whole number from 0 to 65535");
  EXPECT_EQ(fault_of("--seconds", "0.5"), "accepted");
  EXPECT_EQ(fault_of("--seconds", "0"), "--seconds: '0' is not a number from 0.5 to 86400");
  EXPECT_EQ(fault_of("--seconds", "nan"), "--seconds: 'nan' is not a number from 0.5 to 86400");
}

TEST(CommandLine, NamesTheAcceptedWords) {
  EXPECT_EQ(fault_of("--mode", "b"), "accepted");
  EXPECT_EQ(fault_of("--mode", "foo"), "--mode: 'foo' is not one of a, b, c");
  EXPECT_EQ(fault_of("--peer", "foo"), "--peer: 'foo' is not bullet");
}

TEST(CommandLine, DistinguishesFilesFromFolders) {
  EXPECT_EQ(fault_of("--folder", "/"), "accepted");
  EXPECT_EQ(fault_of("--folder", "/nonexist"), "--folder: there is no folder '/nonexist'");
  EXPECT_EQ(fault_of("--folder", "/dev/null"), "--folder: '/dev/null' is a file, not a folder");
  EXPECT_EQ(fault_of("--file", "/dev/null"), "accepted");
  EXPECT_EQ(fault_of("--file", "/nonexist"), "--file: there is no file '/nonexist'");
  EXPECT_EQ(fault_of("--file", "/"), "--file: '/' is a folder, not a file");
}

TEST(CommandLine, AnErrorNamesTheNestedCommandThatItBelongsTo) {
  EXPECT_EQ(ending_of({"bench", "physics"}).text, "--scene is required");
  EXPECT_EQ(ending_of({"bench", "physics"}).command, "tool bench physics");
  EXPECT_EQ(ending_of({"bench"}).command, "tool bench");
  EXPECT_EQ(ending_of({}).command, "tool");
}

TEST(CommandLine, AnErrorNamesAnUnknownOrTheMissingCommand) {
  EXPECT_EQ(ending_of({"dance"}).text, "unknown command 'dance'");
  EXPECT_EQ(ending_of({"--dance"}).text, "unknown option '--dance'");
  EXPECT_EQ(ending_of({"bench", "dance"}).text, "unknown command 'dance'");
  EXPECT_EQ(ending_of({}).text, "a command is required: one of bench");
  EXPECT_EQ(ending_of({"bench"}).text, "a command is required: one of physics, link")
      << "hidden commands are not listed";
  for (const char* const name : {"dance", "bench"})
    EXPECT_TRUE(ending_of({name}).is_refused);
}

TEST(CommandLine, AnErrorListsUnexpectedArgumentsInTheirOrder) {
  const EarlyExit two = ending_of({"bench", "physics", "--scene", "s", "--for", "10m"});
  EXPECT_EQ(two.text, "The following arguments were not expected: --for 10m");
  EXPECT_EQ(two.command, "tool bench physics");
  EXPECT_EQ(ending_of({"bench", "link", "--for"}).text,
            "The following argument was not expected: --for");
}

TEST(CommandLine, TheHelpTextShowsTheAcceptedValues) {
  const EarlyExit help = ending_of({"bench", "physics", "--help"});
  EXPECT_FALSE(help.is_refused);
  EXPECT_NE(help.text.find("INT in [0 - 65535]"), std::string::npos) << help.text;
  EXPECT_NE(help.text.find("FLOAT in [0.5 - 86400]"), std::string::npos) << help.text;
  EXPECT_NE(help.text.find("{a,b,c}"), std::string::npos) << help.text;
}

}  // namespace
}  // namespace jostle::command_line
