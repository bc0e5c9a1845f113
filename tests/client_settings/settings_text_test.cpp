#include "client/settings/settings_text.h"

#include "client/settings/setting_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace jostle::settings {
namespace {

using controls::UserAction;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns settings in which nearly every field differs from its default.
Settings changed() {
  Settings settings;
  settings.name = "Ann \"the\" \\ b";
  settings.window = {800, 600};
  settings.is_fullscreen = true;
  settings.shadows = Quality::Low;
  settings.edges = Quality::Off;
  settings.max_frames_per_second = 75;
  settings.look = render::BodyLook::XRay;
  settings.interface_scale = 1.25;
  settings.are_panels_shown = false;
  settings.is_net_graph_shown = settings.is_body_browser_shown = settings.is_help_shown = true;
  settings.controls.mouse_sensitivity = 0.3f;
  settings.controls.stick_sensitivity = 2.5f;
  settings.controls.is_look_inverted = true;
  settings.controls.dead_zone = 0.1f;
  for (const controls::ActionInfo& info : controls::all_actions()) {
    settings.controls.keys.bind(info.action,
                                {*controls::parse_chord("Ctrl+Alt+K", info.is_by_place),
                                 *controls::parse_chord("Left", info.is_by_place)});
    if (info.group == controls::ActionGroup::World) settings.controls.pad.bind(info.action, {});
  }
  settings.controls.pad.bind(UserAction::Quit, {*controls::parse_pad_input("righttrigger")});
  return settings;
}

TEST(SettingsText, RoundTripsSettings) {
  for (const Settings& settings : {Settings{}, changed()}) {
    const ReadSettings read = read_settings(settings_text(settings));
    EXPECT_THAT(read.faults, IsEmpty());
    EXPECT_EQ(read.settings, settings);
  }
}

TEST(SettingsText, HasUniqueFieldsThatCanBeChangedAndCopied) {
  const Settings other = changed();
  std::set<std::string> keys;
  for (const SettingField& field : all_fields()) {
    SCOPED_TRACE(field.key());
    EXPECT_TRUE(keys.insert(field.key()).second);
    EXPECT_EQ(find_field(field.key()), &field);
    Settings settings;
    if (field.key() != "gamepad.buttons.forward" && field.key() != "gamepad.buttons.back")
      field.copy(settings, other);
    if (field.text(settings) != field.text(Settings{})) {
      EXPECT_FALSE(settings == Settings{});
      EXPECT_EQ(field.text(settings), field.text(other));
    }
  }
}

TEST(SettingsText, CommentsOutDefaults) {
  std::istringstream lines(settings_text({}));
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.empty() || line[0] == '#' || line[0] == '[') << line;
}

TEST(SettingsText, ReportsErrorsWithPositionAndAppliesTheRest) {
  const ReadSettings read = read_settings(
      "name = \"Ann\"\n"
      "[window]\n"
      "size = \"9x\"\n"
      "fulscreen = true\n"
      "[picture]\n"
      "fps = \"fast\"\n"
      "shadows = \"low\"\n"
      "size = \"640x360\"\n"
      "[camera]\n"
      "mouse-sensitivity = nan\n"
      "[nonsense]\n"
      "so = \"what\"\n");
  EXPECT_THAT(
      read.faults,
      ElementsAre("3:8: window.size: '9x' is not \"WIDTHxHEIGHT\", each 16 to 16384",
                  "4:1: 'fulscreen' is not a setting of [window]; did you mean 'fullscreen'?",
                  "6:7: picture.fps: expected \"auto\", or 1 to 1000",
                  "8:1: 'size' is not a setting of [picture]; did you mean 'size' of [window]?",
                  "10:21: camera.mouse-sensitivity: nan is out of range: expected 0.1 to 10",
                  "12:1: 'so' is not a setting of [nonsense]"));
  EXPECT_EQ(read.settings.name, "Ann");
  EXPECT_EQ(read.settings.shadows, Quality::Low);
  EXPECT_EQ(read.settings.window, render::Size{});
  EXPECT_EQ(read.settings.max_frames_per_second, 0);
}

/// Returns the names in backticks in a cell of a table.
std::vector<std::string> names_in(const std::string& cell) {
  static const std::regex name("`([^`]*)`");
  std::vector<std::string> names;
  for (std::sregex_iterator it(cell.begin(), cell.end(), name), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

std::string in_words(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return "'" + key.substr(dot + 1) + "' of [" + key.substr(0, dot) + "]";
}

TEST(SettingsText, NamesTheNewNameOfARenamedSetting) {
  std::ifstream file(std::string(JOSTLE_SOURCE_DIR) + "/docs/RENAMED.md");
  std::string line;
  while (std::getline(file, line) && line != "## Settings of jostle-view (`view.toml`)") {
  }
  const std::regex row(R"(\| (`[^|]*`) \| (`[^|]*`) \|)");
  int count = 0;
  while (std::getline(file, line) && !line.starts_with("## ")) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    const std::vector<std::string> old_keys = names_in(cells[1]), new_keys = names_in(cells[2]);
    ASSERT_EQ(old_keys.size(), new_keys.size()) << line;
    for (std::size_t i = 0; i < old_keys.size(); ++i) {
      // this row renames a value, not a key
      if (old_keys[i].find('=') != std::string::npos) continue;
      EXPECT_NE(find_field(new_keys[i]), nullptr) << new_keys[i];
      const std::size_t dot = old_keys[i].rfind('.');
      EXPECT_THAT(read_settings("[" + old_keys[i].substr(0, dot) + "]\n" +
                                old_keys[i].substr(dot + 1) + " = \"x\"\n")
                      .faults,
                  ElementsAre("2:1: " + in_words(old_keys[i]) + " is now " + in_words(new_keys[i]) +
                              "; docs/RENAMED.md lists all renamed settings"));
      ++count;
    }
  }
  EXPECT_EQ(count, 11);
}

TEST(SettingsText, RefusesInvalidValuesInEveryField) {
  for (const SettingField& field : all_fields()) {
    SCOPED_TRACE(field.key());
    for (const TomlValue& wrong : {TomlValue(TomlOther{}), TomlValue(std::string("\x1b[2J")),
                                   TomlValue(std::int64_t{-1}), TomlValue(TomlTexts(9, "a"))}) {
      if (field.key() == "name" && std::holds_alternative<std::string>(wrong)) continue;
      Settings settings;
      EXPECT_TRUE(field.take(settings, wrong));
      EXPECT_EQ(settings, Settings{});
    }
  }
}

TEST(SettingsText, BindsKeysByNameByListAndToNone) {
  const ReadSettings read = read_settings(
      "[keys]\n"
      "jump = \"J\"\n"
      "pause = [\"F5\", \"ctrl+SPACE\"]\n"
      "quit = \"\"\n"
      "reset = \"Hyper\"\n");
  EXPECT_THAT(read.faults, ElementsAre("5:9: keys.reset: 'Hyper' is not a key that SDL knows"));
  const controls::KeyBindings& keys = read.settings.controls.keys;
  EXPECT_EQ(keys.keys(UserAction::Jump)[0].place, SDL_SCANCODE_J);
  EXPECT_EQ(keys.text(UserAction::Pause), "F5 or Ctrl+Space");
  EXPECT_TRUE(keys.keys(UserAction::Quit).empty());
  EXPECT_TRUE(keys.is_default(UserAction::Reset));
}

TEST(SettingsText, ReportsBothActionsOfACollidingKey) {
  const ReadSettings read = read_settings(
      "[keys]\n"
      "gravity = \"N\"\n"
      "[gamepad.buttons]\n"
      "repel = \"a\"\n");
  EXPECT_THAT(read.faults, IsEmpty());
  EXPECT_THAT(read.remarks,
              ElementsAre("2:1: 'N' is bound to both 'gravity' and 'net-graph' of [keys]",
                          "4:1: 'a' is bound to both 'jump' and 'repel' of [gamepad.buttons]"));
}

TEST(SettingsText, EscapesControlCharactersInErrors) {
  const ReadSettings read = read_settings("\"a\\nb\\u001b\" = 1\nname = 3\n");
  ASSERT_EQ(read.faults.size(), 2U);
  for (const std::string& words : read.faults)
    EXPECT_EQ(words.find_first_of("\n\x1b"), std::string::npos);
}

/// Returns the text as inline code of Markdown.
std::string code_of(const std::string& text) {
  const bool has_backquote = text.find('`') != std::string::npos;
  return has_backquote ? "`` " + text + " ``" : "`" + text + "`";
}

// docs/SETTINGS.md must have one table row per setting, which starts with the setting's key and its
// default.
TEST(SettingsText, HasEveryFieldInTheDocumentation) {
  std::ifstream file(std::string(JOSTLE_SOURCE_DIR) + "/docs/SETTINGS.md");
  std::ostringstream text;
  text << file.rdbuf();
  for (const SettingField& field : all_fields())
    EXPECT_THAT(text.str(),
                HasSubstr("| " + code_of(field.key()) + " | " + code_of(field.text({})) + " |"));
}

}  // namespace
}  // namespace jostle::settings
