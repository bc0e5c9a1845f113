#include "shared/program_options/program_options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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
  std::string folder;
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
  add_record_folder(program, values.folder, "Folder");
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

TEST(ProgramOptions, RefuseAFolderForRecordingsInWhichNoFileCanBeCreated) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(parse({"--record-folder", folder.c_str()}).error, "");
  const std::filesystem::path fresh = folder / "jostle_no_such_folder";
  EXPECT_EQ(parse({"--record-folder", (fresh / "deep").c_str()}).error, "");
  EXPECT_FALSE(std::filesystem::exists(fresh));
  EXPECT_EQ(parse({"--record-folder", "/dev/null/a"}).error,
            "--record-folder: '/dev/null' is a file, not a folder");
  // The file system /proc contains no new files, not even of the superuser.
  for (const char* path : {"/proc", "/proc/new/deep"})
    EXPECT_TRUE(parse({"--record-folder", path})
                    .error.starts_with("--record-folder: cannot write to folder '/proc': "))
        << path;
}

TEST(ProgramOptions, RejectAFolderAsTheListOfKnownServers) {
  EXPECT_EQ(parse({"--known-servers", "/"}).error, "--known-servers: '/' is a folder, not a file");
  EXPECT_EQ(parse({"--known-servers", "/nonexist/f"}).access.known_path, "/nonexist/f");
}

TEST(LogFault, RefusesTheEndingsOfScenesRecordingsAndPictures) {
  EXPECT_EQ(log_fault("hashes.txt"), "");
  EXPECT_EQ(log_fault("hashes"), "");
  EXPECT_EQ(log_fault("run.jrec"),
            "'run.jrec' ends with .jrec, but a log is plain text; did you mean 'run.jrec.txt'?");
  for (const char* path : {"crates.scene.json", "A.PNG", "folder/settings.json"})
    EXPECT_NE(log_fault(path), "") << path;
}

/// A folder for files, which is removed with its contents.
class OutputFault : public testing::Test {
 protected:
  OutputFault() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~OutputFault() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name) const { std::ofstream(path(name)) << name; }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "jostle_output_fault";
};

TEST_F(OutputFault, AcceptsDifferentFilesAndOptionsThatAreNotGiven) {
  write("scene");
  EXPECT_EQ(output_fault({{"--a", path("a")}, {"--b", path("b")}, {"--c", ""}, {"--d", ""}},
                         {{"--scene", path("scene")}, {"--psk", ""}}),
            "");
}

TEST_F(OutputFault, NamesBothOptionsOfAnOutputThatIsAnInput) {
  write("scene");
  EXPECT_EQ(
      output_fault({{"--log", path("scene")}}, {{"--scene", path("scene")}}),
      "--log: '" + path("scene") + "' would overwrite a file of --scene; choose another file");
}

TEST_F(OutputFault, RefusesTwoOutputsToOneFileThatDoesNotExistYet) {
  EXPECT_NE(output_fault({{"--a", path("new")}, {"--b", path("./x/../new")}}, {}), "");
}

TEST_F(OutputFault, FollowsHardAndSymbolicLinks) {
  write("scene");
  std::filesystem::create_hard_link(path("scene"), path("hard"));
  std::filesystem::create_symlink("scene", path("soft"));
  std::filesystem::create_symlink("new", path("dangling"));
  for (const char* name : {"hard", "soft"})
    EXPECT_NE(output_fault({{"--a", path(name)}}, {{"--scene", path("scene")}}), "") << name;
  EXPECT_NE(output_fault({{"--a", path("dangling")}, {"--b", path("new")}}, {}), "");
}

TEST_F(OutputFault, RefusesAFileInAFolderThatIsAnInput) {
  const std::vector<NamedFile> keys{{"--keys", folder_.string(), true}};
  EXPECT_EQ(
      output_fault({{"--log", path("server.key")}}, keys),
      "--log: '" + path("server.key") + "' would overwrite a file of --keys; choose another file");
  EXPECT_EQ(output_fault({{"--log", path("more/log")}}, keys), "");
}

TEST_F(OutputFault, RefusesAFolderInPlaceOfAnInputFile) {
  const std::string error = "--script: '" + folder_.string() + "' is a folder, not a file";
  EXPECT_EQ(output_fault({{"--output", path("new")}}, {{"--script", folder_.string()}}), error);
  EXPECT_EQ(output_fault({}, {{"--script", folder_.string()}}), error);
}

TEST_F(OutputFault, AcceptsADeviceSeveralTimes) {
  EXPECT_EQ(output_fault({{"--a", "/dev/null"}, {"--b", "/dev/null"}}, {{"--c", "/dev/null"}}), "");
}

}  // namespace
}  // namespace jostle::program_options
