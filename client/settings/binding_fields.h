#pragma once

#include "client/settings/setting_field.h"

#include <vector>

namespace jostle::settings {

/// Names of the tables for keys, keys of recordings and gamepad buttons, which have one field per
/// action.
inline constexpr std::string_view keys_table = "keys", recording_keys_table = "keys.recording",
                                  buttons_table = "gamepad.buttons";
void add_binding_fields(std::vector<SettingField>& fields);

}  // namespace jostle::settings
