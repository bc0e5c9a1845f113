// Each planted error is found within 500 seeds, so the rules of the simulation can fail.
#include "shared/base/log.h"
#include "tools/simulate/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace jostle::simulate {
namespace {

/// A planted error, and the faults that lead to it soonest.
struct Case {
  const char* name;
  std::uint32_t faults = ServerCrashes | PowerLosses | ClientCrashes;
  double seconds = 30;
};

constexpr std::uint32_t disk_faults = ServerCrashes | PowerLosses | ClientCrashes | DiskErrors;
constexpr std::uint32_t link_faults = ServerCrashes | ClientCrashes | Partitions | LossyLinks;

constexpr Case cases[] = {
    // The disk and the writer.
    {"skipped-sync"},
    {"skipped-folder-sync"},
    {"lost-write"},
    {"swapped-writes"},
    {"changed-byte"},
    {"changed-state"},
    {"lost-tokens"},
    {"unsafe-restart"},
    {"dropped-job"},
    {"swapped-jobs"},
    {"repeated-job"},
    {"short-write"},
    {"ignored-write-error", disk_faults},
    {"ignored-sync-error", disk_faults},
    {"stale-read"},
    {"no-end-of-batch"},
    // The code: record.
    {"tail-unchecked", ServerCrashes | PowerLosses | BitRot},
    // journal.
    {"late-journal"},
    {"unrecorded-join"},
    {"dropped-tick"},
    {"early-keyframe"},
    {"ignored-error", disk_faults},
    {"unsynced-segment"},
    {"unsynced-sections", PowerLosses, 60},
    {"early-durable", disk_faults | DiskStalls},
    {"repeated-sync", disk_faults},
    {"quota-newest", disk_faults, 60},
    {"rename-before-sync"},
    {"unsynced-players"},
    {"unreplayed-ticks"},
    {"last-tick-left-out"},
    {"oldest-segment"},
    {"unsorted-segments"},
    // secure.
    {"replay-window-off", HostileClients},
    {"token-spent-twice", HostileClients},
    {"token-spent-early", HostileClients},
    // server.
    {"token-use-not-stored", HostileClients | ServerCrashes | PowerLosses},
    {"journal-before-apply"},
    {"slot-never-freed", ClientCrashes, 45},
    {"leave-forgotten", ClientCrashes, 45},
    {"wrong-owner"},
    {"token-reissued", link_faults, 60},
    {"two-owners", link_faults, 60},
    {"deduplication-off", LossyLinks | Inputs},
};

class Planted : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    base::set_log_sink([](base::LogLevel, const std::string&) {});
  }
  void TearDown() override { base::set_log_sink(nullptr); }
};

TEST_P(Planted, IsFound) {
  RunOptions options{.seed = 1, .seconds = GetParam().seconds, .faults = GetParam().faults};
  options.plant = Plant::InCode;
  for (std::size_t i = 0; i < plant_count; ++i) {
    if (name_of(static_cast<Plant>(i)) == std::string(GetParam().name))
      options.plant = static_cast<Plant>(i);
  }
  if (options.plant == Plant::InCode) options.code_plant = GetParam().name;
  constexpr std::uint64_t seeds = 500;
  for (; options.seed <= seeds; ++options.seed) {
    const RunResult result = simulate(options);
    if (result.failure.empty()) continue;
    RunOptions healthy = options;
    healthy.plant = Plant::None;
    healthy.code_plant.clear();
    ASSERT_EQ(simulate(healthy).failure, "") << "without the error, seed " << options.seed;
    RecordProperty("seed", std::to_string(options.seed));
    std::printf("%s: seed %llu: %s\n", GetParam().name,
                static_cast<unsigned long long>(options.seed), result.failure.c_str());
    return;
  }
  FAIL() << "no seed finds " << GetParam().name;
}

/// Adds the names in calls such as is_planted("name") in the sources of a folder.
void add_planted_names(const std::filesystem::path& folder, std::set<std::string>& names) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string call = "base::is_planted(\"";
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at)) {
      at += call.size();
      names.insert(text.substr(at, text.find('"', at) - at));
    }
  }
}

TEST(PlantedList, HasEveryPlantedError) {
  std::set<std::string> planted, listed;
  for (std::size_t i = 1; i < plant_count; ++i)
    planted.insert(name_of(static_cast<Plant>(i)));
  for (const char* const folder : {"shared/secure", "shared/record", "shared/journal", "server"})
    add_planted_names(std::filesystem::path(JOSTLE_SOURCE_DIR) / folder, planted);
  for (const Case& one : cases)
    listed.insert(one.name);
  EXPECT_EQ(planted, listed);
  EXPECT_GE(listed.size(), 30U);
}

INSTANTIATE_TEST_SUITE_P(All, Planted, testing::ValuesIn(cases), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace jostle::simulate
