#include "shared/command_line/command_line.h"

#include "shared/command_line/suggestion.h"

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
  std::string table;
  bench.add_subcommand("link", "");
  bench.add_subcommand("show", "").add_option("table", table);
  const App play = bench.add_subcommand("play", "");
  play.add_option("where", table).type_name("HOST|FILE");
  play.add_option("file", table).check(is_file()).type_name("FILE");
  bench.add_subcommand("internal", "").group("");
  int count = 0, port = 0;
  double seconds = 0;
  std::string scene, mode, only, folder, file, role, note;
  physics.add_option("--scene", scene).required();
  physics.add_option("--count", count).check(in_range(0, 65'535));
  physics.add_option("--seconds", seconds).check(in_range(0.5, 86'400.0));
  physics.add_option("--mode", mode).check(one_of({"a", "b", "c"}));
  physics.add_option("--peer", only).check(one_of({"bullet"}));
  physics.add_option("--folder", folder).check(is_folder());
  physics.add_option("--file", file).check(is_file()).type_name("FILE");
  physics.add_option("--new-file", file).check(is_file_or_new());
  physics.add_option("--port", port).check(in_range(0, 65'535)).type_name("PORT");
  physics.add_option("--role", role).type_name("A:B");
  physics.add_option("--note", note);
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
  EXPECT_EQ(fault_of("--peer", "bulet"), "--peer: 'bulet' is not bullet; did you mean 'bullet'?");
}

TEST(CommandLine, DistinguishesFilesFromFolders) {
  EXPECT_EQ(fault_of("--folder", "/"), "accepted");
  EXPECT_EQ(fault_of("--folder", "/nonexist"), "--folder: there is no folder '/nonexist'");
  EXPECT_EQ(fault_of("--folder", "/dev/null"), "--folder: '/dev/null' is a file, not a folder");
  EXPECT_EQ(fault_of("--file", "/dev/null"), "accepted");
  EXPECT_EQ(fault_of("--file", "/nonexist"), "--file: there is no file '/nonexist'");
  EXPECT_EQ(fault_of("--file", "/"), "--file: '/' is a folder, not a file");
  EXPECT_EQ(fault_of("--new-file", "/nonexist"), "accepted");
  EXPECT_EQ(fault_of("--new-file", "/dev/null"), "accepted");
  EXPECT_EQ(fault_of("--new-file", "/"), "--new-file: '/' is a folder, not a file");
}

TEST(CommandLine, AnUnexpectedArgumentNamesTheAcceptedOnes) {
  EXPECT_EQ(ending_of({"bench", "physics", "--scene", "s", "extra"}).text,
            "unexpected argument: extra; tool bench physics takes only options");
  EXPECT_EQ(ending_of({"bench", "show", "net", "more", "again"}).text,
            "unexpected arguments: more again; tool bench show takes 1 argument besides options: "
            "table");
  EXPECT_EQ(ending_of({"bench", "play", "a", "/dev/null", "b"}).text,
            "unexpected argument: b; tool bench play takes 2 arguments besides options: where "
            "(HOST|FILE), file");
}

TEST(CommandLine, AnOptionWithoutItsValueNamesWhatItAccepts) {
  const auto error_at_end = [](const char* option) {
    return ending_of({"bench", "physics", "--scene", "s", option}).text;
  };
  EXPECT_EQ(error_at_end("--port"), "--port needs a value: PORT, a whole number from 0 to 65535");
  EXPECT_EQ(error_at_end("--count"), "--count needs a value: a whole number from 0 to 65535");
  EXPECT_EQ(error_at_end("--mode"), "--mode needs a value: one of a, b, c");
  EXPECT_EQ(error_at_end("--peer"), "--peer needs a value: bullet");
  EXPECT_EQ(error_at_end("--file"), "--file needs a value: FILE, an existing file");
  EXPECT_EQ(error_at_end("--folder"), "--folder needs a value: an existing folder");
  EXPECT_EQ(error_at_end("--role"), "--role needs a value: A:B");
  EXPECT_EQ(error_at_end("--note"), "--note needs a value");
  EXPECT_EQ(ending_of({"bench", "physics", "--port"}).command, "tool bench physics");
}

TEST(CommandLine, AnOptionDoesNotTakeTheNextOptionAsItsValue) {
  EXPECT_EQ(fault_of("--note", "--mode"),
            "--note: the value is missing: '--mode' is another option");
  EXPECT_EQ(fault_of("--count", "--mode"),
            "--count: the value is missing: '--mode' is another option");
  EXPECT_EQ(fault_of("--note", "--hello"), "accepted");
}

TEST(CommandLine, AnOptionThatIsGivenTwiceIsRejected) {
  EXPECT_EQ(ending_of({"bench", "physics", "--scene", "s", "--port", "1", "--port", "2"}).text,
            "--port may be given only once");
}

TEST(CommandLine, AnEmptyTextIsNotAValue) {
  for (const char* const option : {"--note", "--file", "--folder", "--mode", "--role"})
    EXPECT_EQ(fault_of(option, ""), std::string(option) + ": the value is empty");
  EXPECT_EQ(ending_of({"bench", "physics", "--note=", "--scene", "s"}).text,
            "--note: the value is empty");
}

TEST(CommandLine, WholeNumbersAreDecimal) {
  EXPECT_EQ(fault_of("--count", "0x10"), "--count: '0x10' is not a whole number from 0 to 65535");
  Program program("tool", "A program for tests.");
  int count = 0;
  std::uint64_t seed = 0;
  std::vector<int> list;
  program.add_option("--count", count).check(in_range(-100, 100));
  program.add_option("--seed", seed);
  program.add_option("--list", list).delimiter(',');
  const std::vector<const char*> arguments{"tool", "--count", "-060",    "--seed",
                                           "0100", "--list",  "010,00,9"};
  EXPECT_FALSE(program.parse(static_cast<int>(arguments.size()), arguments.data()));
  EXPECT_EQ(count, -60);
  EXPECT_EQ(seed, 100U);
  EXPECT_EQ(list, (std::vector<int>{10, 0, 9}));
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
  EXPECT_EQ(ending_of({"bench"}).text, "a command is required: one of physics, link, show, play")
      << "hidden commands are not listed";
  for (const char* const name : {"dance", "bench"})
    EXPECT_TRUE(ending_of({name}).is_refused);
}

TEST(CommandLine, AnErrorListsUnexpectedArgumentsInTheirOrder) {
  const EarlyExit two = ending_of({"bench", "physics", "--scene", "s", "ten", "-10"});
  EXPECT_EQ(two.text, "unexpected arguments: ten -10; tool bench physics takes only options");
  EXPECT_EQ(two.command, "tool bench physics");
  EXPECT_EQ(ending_of({"bench", "link", "ten"}).text,
            "unexpected argument: ten; tool bench link takes only options");
  EXPECT_EQ(ending_of({"bench", "link", ""}).text,
            "unexpected argument: ''; tool bench link takes only options");
}

TEST(CommandLine, AnErrorSuggestsTheOptionThatIsNearestToAnUnknownOne) {
  const EarlyExit swapped = ending_of({"bench", "physics", "--scene", "s", "--cuont", "3"});
  EXPECT_EQ(swapped.text, "unknown option '--cuont'; did you mean '--count'?");
  EXPECT_EQ(swapped.command, "tool bench physics");
  EXPECT_EQ(ending_of({"bench", "physics", "--scene", "s", "--cont=3"}).text,
            "unknown option '--cont'; did you mean '--count'?");
  EXPECT_EQ(ending_of({"bench", "physics", "--scene", "s", "-count", "3"}).text,
            "unknown option '-count'; did you mean '--count'?");
  EXPECT_EQ(ending_of({"bench", "link", "--for"}).text, "unknown option '--for'");
  EXPECT_EQ(ending_of({"--hepl"}).text, "unknown option '--hepl'; did you mean '--help'?");
}

TEST(CommandLine, AnUnknownOptionIsReportedBeforeTheRequiredOneThatWasMeant) {
  EXPECT_EQ(ending_of({"bench", "physics", "--scen", "s"}).text,
            "unknown option '--scen'; did you mean '--scene'?");
}

TEST(CommandLine, AnErrorSuggestsTheNearestListedCommand) {
  EXPECT_EQ(ending_of({"bnech"}).text, "unknown command 'bnech'; did you mean 'bench'?");
  EXPECT_EQ(ending_of({"bench", "physcs", "--scen", "s"}).text,
            "unknown command 'physcs'; did you mean 'physics'?");
  EXPECT_EQ(ending_of({"bench", "interal"}).text, "unknown command 'interal'")
      << "hidden commands are not suggested";
}

TEST(CommandLine, TheHelpTextShowsTheAcceptedValues) {
  const EarlyExit help = ending_of({"bench", "physics", "--help"});
  EXPECT_FALSE(help.is_refused);
  EXPECT_NE(help.text.find("INT in [0 - 65535]"), std::string::npos) << help.text;
  EXPECT_NE(help.text.find("FLOAT in [0.5 - 86400]"), std::string::npos) << help.text;
  EXPECT_NE(help.text.find("{a,b,c}"), std::string::npos) << help.text;
}

TEST(Suggestion, TakesTheNearestCandidateIfAThirdOfItsLettersOrFewerDiffer) {
  const std::vector<std::string> scenes = {"balls", "bridge", "crates", "mass_ratios", "pool"};
  EXPECT_EQ(suggestion("crats", scenes), "; did you mean 'crates'?");
  EXPECT_EQ(suggestion("Crates", scenes), "; did you mean 'crates'?");
  EXPECT_EQ(suggestion("mas-ratio", scenes), "; did you mean 'mass_ratios'?");
  EXPECT_EQ(suggestion("polo", scenes), "; did you mean 'pool'?");
  EXPECT_EQ(suggestion("dance", scenes), "");
  EXPECT_EQ(suggestion("", scenes), "");
  EXPECT_EQ(suggestion("--", scenes), "");
  EXPECT_EQ(suggestion(std::string(1'000'000, 'x'), scenes), "");
  EXPECT_EQ(suggestion("v9", {"v0", "v1"}), "") << "one letter of two is not similar";
}

TEST(Suggestion, TakesACandidateThatBeginsWithTheWordIfNoneIsSimilar) {
  EXPECT_EQ(suggestion("--prof", {"--port", "--profile"}), "; did you mean '--profile'?");
  EXPECT_EQ(suggestion("--pr", {"--port", "--profile"}), "");
}

TEST(Suggestion, SplitsWordsAtTheSeparator) {
  EXPECT_EQ(split_words("a, bc", ", "), (std::vector<std::string>{"a", "bc"}));
  EXPECT_EQ(split_words("a", "|"), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace jostle::command_line
