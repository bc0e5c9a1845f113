#include "client/settings/settings_text.h"

#include "client/settings/binding_fields.h"
#include "client/settings/setting_field.h"
#include "client/settings/toml_reader.h"
#include "shared/base/edit_distance.h"
#include "shared/base/printable.h"

#include <algorithm>
#include <map>

namespace jostle::settings {
namespace {

std::string at(TextPlace place, const std::string& words) {
  return std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + words;
}

/// Returns "; did you mean 'fps' of [picture]?", or an empty text if no setting is similar.
std::string hint(const std::string& key) {
  constexpr std::size_t max_key_bytes = 64;
  if (key.size() > max_key_bytes) return {};
  const std::string last = key.substr(key.rfind('.') + 1);
  const SettingField* nearest = nullptr;
  std::size_t least = 0;
  for (const SettingField& field : all_fields()) {
    // A correct name in the wrong table is more likely than a typing error.
    const std::size_t distance = field.name == last ? 1 : 1 + base::edit_distance(key, field.key());
    if (nearest != nullptr && distance >= least) continue;
    nearest = &field;
    least = distance;
  }
  if (nearest == nullptr || least > 2 + last.size() / 3) return {};
  const bool is_same_table = key == last
                                 ? nearest->table.empty()
                                 : key.substr(0, key.size() - last.size() - 1) == nearest->table;
  return "; did you mean '" + nearest->name +
         (is_same_table            ? "'?"
          : nearest->table.empty() ? "' before all tables?"
                                   : "' of [" + nearest->table + "]?");
}

/// A setting that version 0.2.0 renamed.
struct RenamedSetting {
  std::string_view old_key, table, name;
};
/// All settings in the table of docs/RENAMED.md.
constexpr RenamedSetting renamed_settings[] = {
    {"picture.edges", "picture", "antialiasing"},
    {"picture.look", "picture", "draw-mode"},
    {"look.mouse-sensitivity", "camera", "mouse-sensitivity"},
    {"look.stick-sensitivity", "camera", "stick-sensitivity"},
    {"look.invert", "camera", "invert"},
    {"keys.look", "keys", "draw-mode"},
    {"gamepad.buttons.look", "gamepad.buttons", "draw-mode"},
    {"keys.draw", "keys", "debug-draw"},
    {"gamepad.buttons.draw", "gamepad.buttons", "debug-draw"},
    {"keys.hold", "keys", "grab"},
    {"gamepad.buttons.hold", "gamepad.buttons", "grab"},
};

std::string unknown_words(const std::string& key) {
  for (const RenamedSetting& renamed : renamed_settings) {
    if (key != renamed.old_key) continue;
    const std::size_t end = key.rfind('.');
    return "'" + key.substr(end + 1) + "' of [" + key.substr(0, end) + "] is now '" +
           std::string(renamed.name) + "' of [" + std::string(renamed.table) +
           "]; docs/RENAMED.md lists all renamed settings";
  }
  const std::size_t dot = key.rfind('.');
  const std::string shown = base::printable(key.substr(0, 80));
  return dot == std::string::npos
             ? "'" + shown + "' is not a setting" + hint(key)
             : "'" + base::printable(key.substr(dot + 1, 80)) + "' is not a setting of [" +
                   base::printable(key.substr(0, std::min<std::size_t>(dot, 80))) + "]" + hint(key);
}

/// Positions of the entries by key. A message about two colliding entries gives the position of the
/// later entry.
using Places = std::map<std::string, TextPlace>;
std::string remark(const Places& places, std::string_view table, controls::UserAction first,
                   controls::UserAction second, const std::string& input) {
  const std::string one(controls::info_of(first).name), other(controls::info_of(second).name);
  TextPlace place;
  for (const std::string& name : {one, other}) {
    const auto found = places.find(std::string(table) + "." + name);
    if (found != places.end() && found->second.line > place.line) place = found->second;
  }
  return at(place, "'" + input + "' is bound to both '" + one + "' and '" + other + "' of [" +
                       std::string(table) + "]");
}

void note_collisions(const Places& places, ReadSettings& read) {
  using controls::ActionGroup;
  for (const auto& [first, second, chord] : read.settings.controls.keys.collisions()) {
    const bool is_recording = controls::info_of(first).group == ActionGroup::Recording;
    read.remarks.push_back(remark(places, is_recording ? recording_keys_table : keys_table, first,
                                  second, chord.name()));
  }
  for (const auto& [first, second, input] : read.settings.controls.pad.collisions())
    read.remarks.push_back(remark(places, buttons_table, first, second, input.name()));
}

}  // namespace

ReadSettings read_settings(std::string_view text) {
  ReadSettings read;
  const TomlContents contents = read_toml(text);
  for (const TomlFault& fault : contents.faults)
    read.faults.push_back(at(fault.place, fault.text));
  Places places;
  for (const TomlEntry& entry : contents.entries) {
    const SettingField* const field = find_field(entry.key);
    if (field == nullptr) {
      read.faults.push_back(at(entry.key_place, unknown_words(entry.key)));
      continue;
    }
    places[entry.key] = entry.key_place;
    if (const auto fault = field->take(read.settings, entry.value))
      read.faults.push_back(at(entry.value_place, entry.key + ": " + base::printable(*fault)));
  }
  note_collisions(places, read);
  return read;
}

std::string settings_text(const Settings& settings) {
  static const Settings defaults;
  std::string text = "# Settings of jostle-view. Lines that begin with # show the defaults.\n";
  std::string table;
  for (const SettingField& field : all_fields()) {
    if (field.table != table) {
      table = field.table;
      text += "\n[" + table + "]\n";
    }
    const std::string value = field.text(settings);
    const bool is_default = value == field.text(defaults);
    std::string line = (is_default ? "# " : "") + field.name + " = " + value;
    const bool is_binding = field.table == keys_table || field.table == recording_keys_table ||
                            field.table == buttons_table;
    if (!is_binding) line += "  # " + field.meaning + ": " + field.allowed;
    text += line + "\n";
  }
  return text;
}

}  // namespace jostle::settings
