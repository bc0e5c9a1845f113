#pragma once

#include "client/settings/settings.h"
#include "client/settings/toml_reader.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jostle::settings {

/// A setting as the file has it. All that is read, written and compared goes through these.
struct SettingField {
  std::string table;    // "window"; empty: before all tables
  std::string name;     // in its table
  std::string allowed;  // "true or false"
  std::string meaning;
  /// As TOML: "0.2", "[\"W\", \"Up\"]".
  std::function<std::string(const Settings&)> text;
  /// What is wrong with it, or nothing; nothing is set then.
  std::function<std::optional<std::string>(Settings&, const TomlValue&)> take;
  std::function<void(Settings& to, const Settings& from)> copy;

  std::string key() const { return table.empty() ? name : table + "." + name; }
};

/// All of them, in the order of the file.
std::span<const SettingField> all_fields();
/// Nothing where there is none of that key.
const SettingField* find_field(std::string_view key);

}  // namespace jostle::settings
