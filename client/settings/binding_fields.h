#pragma once

#include "client/settings/setting_field.h"

#include <vector>

namespace jostle::settings {

/// Names of the tables of key bindings, of key bindings for recordings and of gamepad buttons. A
/// table has one field per action.
inline constexpr std::string_view keys_table = "keys", recording_keys_table = "keys.recording",
                                  buttons_table = "gamepad.buttons";
// Appends the fields of all three tables.
void add_binding_fields(std::vector<SettingField>& fields);

}  // namespace jostle::settings
