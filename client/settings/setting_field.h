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
  std::string table;    // such as "window"; empty: before all tables
  std::string name;     // key in its TOML table
  std::string allowed;  // description of the allowed values, such as "true or false"
  std::string meaning;
  /// Returns the value as TOML, such as `0.2` or `["W", "Up"]`.
  std::function<std::string(const Settings&)> text;
  /// Sets the value. Returns an error message, or nothing; nothing is changed on errors.
  std::function<std::optional<std::string>(Settings&, const TomlValue&)> take;
  std::function<void(Settings& to, const Settings& from)> copy;

  std::string key() const { return table.empty() ? name : table + "." + name; }
};

/// Returns all fields, in the order of the file.
std::span<const SettingField> all_fields();
/// Returns the field with this key, or null.
const SettingField* find_field(std::string_view key);

}  // namespace jostle::settings
