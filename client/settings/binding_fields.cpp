#include "client/settings/binding_fields.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace jostle::settings {
namespace {

using controls::ActionGroup;
using controls::ActionInfo;
using controls::KeyChord;
using controls::PadInput;

/// Returns the texts of `value`: the elements of a list of texts, or a single text. An empty text
/// gives an empty list. Null for values of other types.
std::optional<TomlTexts> texts_of(const TomlValue& value) {
  if (const auto* list = std::get_if<TomlTexts>(&value)) return *list;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  return text->empty() ? TomlTexts{} : TomlTexts{*text};
}

template <typename Inputs>
std::string list_of(const Inputs& inputs) {
  if (inputs.size() == 1) return toml_quoted(inputs.front().name());
  std::string text;
  for (const auto& input : inputs)
    text += (text.empty() ? "" : ", ") + toml_quoted(input.name());
  return text.empty() ? "\"\"" : "[" + text + "]";
}

/// Appends the inputs that `value` names to `inputs`. Returns null on success. Returns an error
/// message if `value` is neither a text nor a list of texts, if it names more than `most` inputs,
/// or if `parse` rejects a name. `kind` ("key" or "button") is used in the message.
template <typename Input, typename Parse>
std::optional<std::string> parse_all(const TomlValue& value, std::size_t most, const char* kind,
                                     const Parse& parse, std::vector<Input>& inputs) {
  const auto texts = texts_of(value);
  if (!texts)
    return std::string("the value is neither the name of a ") + kind + " nor a list of names";
  if (texts->size() > most) return "more than " + std::to_string(most) + " for one action";
  for (const std::string& text : *texts) {
    const auto input = parse(text);
    if (!input) return "'" + text + "' is not a " + kind + " that SDL knows";
    inputs.push_back(*input);
  }
  return std::nullopt;
}

SettingField key_field(const ActionInfo& info) {
  SettingField field;
  const bool is_recording = info.group == ActionGroup::Recording;
  field.table = is_recording ? recording_keys_table : keys_table;
  field.name = info.name;
  field.allowed = info.is_by_place ? "keys, by position" : "keys";
  field.meaning = info.meaning;
  const controls::UserAction action = info.action;
  field.text = [action](const Settings& settings) {
    return list_of(settings.controls.keys.keys(action));
  };
  field.take = [&info](Settings& settings, const TomlValue& value) {
    std::vector<KeyChord> keys;
    auto fault = parse_all(
        value, controls::KeyBindings::max_keys, "key",
        [&](const std::string& text) { return controls::parse_chord(text, info.is_by_place); },
        keys);
    if (!fault) settings.controls.keys.bind(info.action, std::move(keys));
    return fault;
  };
  field.copy = [action](Settings& to, const Settings& from) {
    const auto keys = from.controls.keys.keys(action);
    to.controls.keys.bind(action, {keys.begin(), keys.end()});
  };
  return field;
}

SettingField button_field(const ActionInfo& info) {
  SettingField field;
  field.table = buttons_table;
  field.name = info.name;
  field.allowed = "buttons";
  field.meaning = info.meaning;
  const controls::UserAction action = info.action;
  field.text = [action](const Settings& settings) {
    return list_of(settings.controls.pad.inputs(action));
  };
  field.take = [action](Settings& settings, const TomlValue& value) {
    std::vector<PadInput> inputs;
    auto fault = parse_all(
        value, controls::GamepadBindings::max_inputs, "button",
        [](const std::string& text) { return controls::parse_pad_input(text); }, inputs);
    if (!fault) settings.controls.pad.bind(action, std::move(inputs));
    return fault;
  };
  field.copy = [action](Settings& to, const Settings& from) {
    const auto inputs = from.controls.pad.inputs(action);
    to.controls.pad.bind(action, {inputs.begin(), inputs.end()});
  };
  return field;
}

}  // namespace

void add_binding_fields(std::vector<SettingField>& fields) {
  for (const ActionInfo& info : controls::all_actions())
    if (info.group == ActionGroup::World) fields.push_back(button_field(info));
  for (const ActionInfo& info : controls::all_actions())
    fields.push_back(key_field(info));
}

}  // namespace jostle::settings
