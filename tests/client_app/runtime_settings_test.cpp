#include "client/app/runtime_settings.h"

#include "shared/net/virtual_network.h"

#include <gtest/gtest.h>

#include <span>
#include <string_view>
#include <vector>

namespace jostle::client_app {
namespace {

struct RuntimeSettingsTest : testing::Test {
  net::VirtualNetwork network{1};
  net::VirtualNode& io = network.node(0x0A000001);

  void write(const std::string& path, std::string_view text) {
    EXPECT_TRUE(io.write_file(path, std::as_bytes(std::span(text))));
  }
  static Options parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "jostle-view");
    return parse_options(static_cast<int>(arguments.size()), arguments.data()).options;
  }
};

TEST_F(RuntimeSettingsTest, PreferTheCommandLineToTheFileAndTheFileToDefaults) {
  write("a.toml",
        "name = \"Ann\"\n[window]\nsize = \"800x600\"\nfullscreen = true\n[picture]\nfps = 50\n");
  Options options =
      parse({"--settings", "a.toml", "--size", "1280x720", "--windowed", "--fps", "0"});
  const auto file = open_settings(io, options, std::nullopt);
  ASSERT_TRUE(file);
  const settings::Settings settled = settle(options, &*file);
  EXPECT_EQ(options.name, "Ann");
  EXPECT_EQ(settled.name, "Ann");
  EXPECT_EQ(options.size, (render::Size{1280, 720}));
  EXPECT_EQ(settled.window, (render::Size{1280, 720}));
  EXPECT_FALSE(options.is_fullscreen);
  EXPECT_EQ(options.max_frames_per_second, 0);
  EXPECT_EQ(options.shadows, settings::Quality::Auto);
}

TEST_F(RuntimeSettingsTest, UseTheUsersFileOnlyWithAWindow) {
  write("/home/ann/.config/jostle/view.toml", "name = \"Ann\"\n");
  const std::string folder = "/home/ann/.config/jostle";
  const auto name = [&](const std::vector<const char*>& arguments) {
    Options options = parse(arguments);
    const auto file = open_settings(io, options, folder);
    return settle(options, file ? &*file : nullptr).name;
  };
  EXPECT_EQ(name({}), "Ann");
  EXPECT_EQ(name({"--no-settings"}), "player");
  EXPECT_EQ(name({"--offscreen"}), "player");
  EXPECT_EQ(name({"--renderer", "none"}), "player");
  EXPECT_EQ(name({"--offscreen", "--settings", "/home/ann/.config/jostle/view.toml"}), "Ann");
  EXPECT_FALSE(open_settings(io, parse({}), std::nullopt));
}

TEST_F(RuntimeSettingsTest, DisablePredictionIfOptionsExcludeIt) {
  write("/view.toml", "[play]\npredict = true\n");
  const auto predicts = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.end(), {"--settings", "/view.toml"});
    Options options = parse(arguments);
    const auto file = open_settings(io, options, std::nullopt);
    const bool is_set = settle(options, &*file).is_predicting;
    EXPECT_TRUE(is_set) << "the file's setting is kept";
    return options.is_predicting;
  };
  EXPECT_TRUE(predicts({}));
  EXPECT_FALSE(predicts({"--spectate"}));
  EXPECT_FALSE(predicts({"--lockstep"}));
  EXPECT_FALSE(predicts({"--profile", "fine"}));
  Options options = parse({"--predict"});
  EXPECT_TRUE(settle(options, nullptr).is_predicting && options.is_predicting);
}

TEST_F(RuntimeSettingsTest, ReportAPanelsChangeOnceAndSaveIt) {
  Options options = parse({"--settings", "a.toml", "--shadows", "off"});
  auto file = open_settings(io, options, std::nullopt);
  settings::Settings settled = settle(options, &*file);
  RuntimeSettings live(std::move(file), settled);
  EXPECT_FALSE(live.take_change());
  EXPECT_FALSE(live.keep());
  EXPECT_FALSE(io.read_file("a.toml", 100'000));
  // Change a setting, as the settings panel does.
  settled.controls.is_look_inverted = true;
  live.set(settled);
  const auto before = live.take_change();
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->controls.is_look_inverted);
  EXPECT_FALSE(live.take_change());
  EXPECT_FALSE(live.keep());
  const auto kept = settings::SettingsFile::open(io, "a.toml").settings();
  EXPECT_TRUE(kept.controls.is_look_inverted);
  EXPECT_EQ(kept.shadows, settings::Quality::Auto);  // changed on the command line only
}

TEST_F(RuntimeSettingsTest, RefuseContradictingOptions) {
  const auto code = [](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "jostle-view");
    return parse_options(static_cast<int>(arguments.size()), arguments.data()).exit_code;
  };
  EXPECT_EQ(code({"--settings", "a", "--no-settings"}), 2);
  EXPECT_EQ(code({"--fullscreen", "--windowed"}), 2);
  EXPECT_EQ(code({"--ui-scale", "0"}), 2);
  EXPECT_EQ(code({"--ui-scale", "nan"}), 2);
  EXPECT_EQ(code({"a.jrec", "--ui-scale", "2", "--settings", "a"}), std::nullopt);
}

}  // namespace
}  // namespace jostle::client_app
