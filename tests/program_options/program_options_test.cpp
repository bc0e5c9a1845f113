#include "shared/program_options/program_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::program_options {
namespace {

struct Values {
  std::uint64_t seed = 7;
  int kbps = 0;
  protocol::Profile profile = protocol::Profile::Visual;
  std::uint32_t sync_test_ticks = 0;
  bool stops_on_desync = false;
  keyring::ClientAccessOptions access;
  std::string error;  // empty if the command line is valid
};

Values parse(std::vector<const char*> arguments) {
  Values values;
  command_line::Program program("tool", "A program for tests.");
  add_seed(program, values.seed, "Seed");
  add_max_rate(program, values.kbps, "Rate");
  add_profile(program, values.profile, "Profile");
  add_sync_test(program, values.sync_test_ticks, "");
  add_on_desync(program, values.stops_on_desync, "Reaction");
  add_client_access(program, values.access);
  arguments.insert(arguments.begin(), "tool");
  if (const auto ending = program.parse(static_cast<int>(arguments.size()), arguments.data()))
    values.error = ending->text;
  return values;
}

TEST(ProgramOptions, KeepTheDefaultsOfVariablesWithoutOptions) {
  const Values values = parse({});
  EXPECT_EQ(values.error, "");
  EXPECT_EQ(values.seed, 7U);
  EXPECT_EQ(values.kbps, 0);
  EXPECT_EQ(values.profile, protocol::Profile::Visual);
  EXPECT_FALSE(values.stops_on_desync);
}

TEST(ProgramOptions, AcceptAllSeedsOf64BitsAndNoOthers) {
  EXPECT_EQ(parse({"--seed", "18446744073709551615"}).seed, 18446744073709551615U);
  EXPECT_EQ(parse({"--seed", "-1"}).error, "--seed: '-1' is not a whole number from 0 to 2^64 - 1");
  EXPECT_NE(parse({"--seed", "18446744073709551616"}).error, "");
  EXPECT_NE(parse({"--seed", ""}).error, "");
  EXPECT_EQ(parse({"--seed"}).error, "--seed needs a value: N, a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(parse({"--seed", "0x10"}).error,
            "--seed: '0x10' is not a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(parse({"--seed", "060"}).seed, 60U);
}

TEST(ProgramOptions, AcceptARateOfZeroOrWithinItsLimits) {
  EXPECT_EQ(parse({"--max-rate", "0"}).error, "");
  EXPECT_EQ(parse({"--max-rate", "64"}).kbps, 64);
  EXPECT_EQ(parse({"--max-rate", "10000000"}).kbps, 10'000'000);
  EXPECT_EQ(parse({"--max-rate", "63"}).error,
            "--max-rate: '63' is neither 0 nor a number from 64 to 10000000 kbit/s");
  EXPECT_EQ(parse({"--max-rate"}).error,
            "--max-rate needs a value: KBPS, 0 or a number from 64 to 10000000 kbit/s");
  EXPECT_NE(parse({"--max-rate", "10000001"}).error, "");
}

TEST(ProgramOptions, TakeWordsForProfileAndDesync) {
  EXPECT_EQ(parse({"--profile", "lossless"}).profile, protocol::Profile::Lossless);
  EXPECT_EQ(parse({"--profile", "exact"}).error,
            "--profile: 'exact' is not one of visual, fine, lossless");
  EXPECT_TRUE(parse({"--on-desync", "stop"}).stops_on_desync);
  EXPECT_FALSE(parse({"--on-desync", "continue"}).stops_on_desync);
  EXPECT_NE(parse({"--on-desync", "halt"}).error, "");
}

TEST(ProgramOptions, RejectEmptyFileNamesOfAccess) {
  EXPECT_EQ(parse({"--psk", "f"}).access.psk_path, "f");
  for (const char* option : {"--psk", "--key", "--known-servers"})
    EXPECT_EQ(parse({option, ""}).error, std::string(option) + ": the value is empty");
}

}  // namespace
}  // namespace jostle::program_options
