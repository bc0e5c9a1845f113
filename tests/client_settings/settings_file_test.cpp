#include "client/settings/settings_file.h"

#include "shared/net/virtual_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace jostle::settings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Tests on a machine with an in-memory file system.
struct SettingsFileTest : testing::Test {
  net::VirtualNetwork network{1};
  net::VirtualNode& io = network.node(0x0A000001);

  void write(const std::string& path, std::string_view text) {
    EXPECT_TRUE(io.write_file(path, std::as_bytes(std::span(text))));
  }
  std::string read(const std::string& path) {
    const auto bytes = io.read_file(path, 1U << 20);
    if (!bytes) return std::string(net::describe(bytes.error()));
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }
};

TEST_F(SettingsFileTest, MayBeMissing) {
  const SettingsFile file = SettingsFile::open(io, "a.toml");
  EXPECT_FALSE(file.is_there());
  EXPECT_THAT(file.warnings(), IsEmpty());
  EXPECT_EQ(file.settings(), Settings{});
}

TEST_F(SettingsFileTest, SavesOnlyChangedSettings) {
  write("a.toml", "name = \"Ann\"\n");
  SettingsFile file = SettingsFile::open(io, "a.toml");
  // A setting of the command line is in effect, but must not be stored in the file.
  Settings before = file.settings();
  before.shadows = Quality::High;
  Settings after = before;
  after.is_fullscreen = true;
  // Another program writes the file meanwhile.
  write("a.toml", "name = \"Bob\"\n[picture]\nfps = 50\n");
  EXPECT_FALSE(file.save_changes(before, after));
  const Settings kept = SettingsFile::open(io, "a.toml").settings();
  EXPECT_EQ(kept.name, "Bob");
  EXPECT_EQ(kept.max_frames_per_second, 50);
  EXPECT_TRUE(kept.is_fullscreen);
  EXPECT_EQ(kept.shadows, Quality::Auto);
}

TEST_F(SettingsFileTest, BacksUpAFileWithErrors) {
  const std::string broken = "name = \"Ann\"\n[picture\nfps = 50\n";
  write("a.toml", broken);
  SettingsFile file = SettingsFile::open(io, "a.toml");
  ASSERT_EQ(file.warnings().size(), 1U);
  EXPECT_THAT(file.warnings()[0], testing::StartsWith("a.toml:2:"));
  EXPECT_EQ(file.settings().name, "Ann");
  EXPECT_EQ(read("a.toml"), broken);
  Settings after = file.settings();
  after.is_help_shown = true;
  const auto words = file.save_changes(file.settings(), after);
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, HasSubstr("a.toml.bad"));
  EXPECT_EQ(read("a.toml.bad"), broken);
  EXPECT_THAT(SettingsFile::open(io, "a.toml").warnings(), IsEmpty());
  // The file is valid after the first save, so the second save makes no backup.
  EXPECT_FALSE(file.save_changes(after, Settings{}));
}

TEST_F(SettingsFileTest, IsNotOverwrittenWithoutABackup) {
  const std::string broken = "nme = 3\n";
  write("a.toml", broken);
  SettingsFile file = SettingsFile::open(io, "a.toml");
  io.set_disk_capacity_bytes(broken.size());
  Settings after;
  after.is_help_shown = true;
  EXPECT_THAT(file.save_changes({}, after).value_or(""), HasSubstr("not saved: 'a.toml.bad'"));
  EXPECT_EQ(read("a.toml"), broken);
}

TEST_F(SettingsFileTest, IsNotOverwrittenIfTooLong) {
  write("a.toml", std::string((1U << 20) + 1, '#'));
  SettingsFile file = SettingsFile::open(io, "a.toml");
  EXPECT_THAT(file.warnings(), ElementsAre(HasSubstr("'a.toml': ")));
  Settings after;
  after.is_help_shown = true;
  EXPECT_THAT(file.save_changes({}, after).value_or(""), HasSubstr("not saved"));
}

}  // namespace
}  // namespace jostle::settings
