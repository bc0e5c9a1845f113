#pragma once

#include "client/settings/settings.h"
#include "client/settings/toml_reader.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jostle::settings {

/// A setting as it is stored in the file. Reading, writing and comparing all go through fields.
struct SettingField {
  std::string table;    // TOML table, such as "window"; empty: outside of all tables
  std::string name;     // key in its TOML table
  std::string allowed;  // description of the allowed values, such as "true or false"
  std::string meaning;
  /// Returns the value as TOML, such as `0.2` or `["W", "Up"]`.
  std::function<std::string(const Settings&)> text;
  /// Sets the value. Returns null, or an error message if the value is not allowed; the settings
  /// are then unchanged.
  std::function<std::optional<std::string>(Settings&, const TomlValue&)> take;
  std::function<void(Settings& to, const Settings& from)> copy;

  std::string key() const { return table.empty() ? name : table + "." + name; }
};

/// Returns all fields, in the order of the file.
std::span<const SettingField> all_fields();
/// Returns the field with this key, such as "window.size"; null if there is none.
const SettingField* find_field(std::string_view key);

}  // namespace jostle::settings
