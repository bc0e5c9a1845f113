#include "client/settings/setting_field.h"

#include "client/settings/binding_fields.h"
#include "protocol/limits.h"
#include "protocol/player_name.h"
#include "shared/base/parse_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace jostle::settings {
namespace {

/// Function that returns a reference to a member of Settings or of Settings::controls.
template <typename T>
using Access = std::function<T&(Settings&)>;

template <typename T>
const T& read(const Access<T>& access, const Settings& settings) {
  // Only take() and copy() write through `access`. Here the result is const.
  return access(const_cast<Settings&>(settings));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

template <typename T>
SettingField begin_field(std::string key, std::string meaning, const Access<T>& access) {
  SettingField field;
  const std::size_t dot = key.rfind('.');
  field.table = dot == std::string::npos ? "" : key.substr(0, dot);
  field.name = dot == std::string::npos ? std::move(key) : key.substr(dot + 1);
  field.meaning = std::move(meaning);
  field.copy = [access](Settings& to, const Settings& from) { access(to) = read(access, from); };
  return field;
}

SettingField flag(std::string key, std::string meaning, const Access<bool>& access) {
  SettingField field = begin_field(std::move(key), std::move(meaning), access);
  field.allowed = "true or false";
  field.text = [access](const Settings& settings) {
    return std::string(read(access, settings) ? "true" : "false");
  };
  field.take = [access](Settings& settings, const TomlValue& value) -> std::optional<std::string> {
    const bool* const is_on = std::get_if<bool>(&value);
    if (is_on == nullptr) return "expected true or false";
    access(settings) = *is_on;
    return std::nullopt;
  };
  return field;
}

/// Returns the shortest text that reads back to the same value.
template <typename T>
std::string number_text(T value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

std::optional<double> number_of(const TomlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

/// Creates a numeric field from `least` to `most`. `word_of_zero`, if not empty, is the word that
/// stands for 0.
template <typename T>
SettingField number(std::string key, std::string meaning, T least, T most,
                    const std::string& word_of_zero, const Access<T>& access) {
  SettingField field = begin_field(std::move(key), std::move(meaning), access);
  field.allowed = (word_of_zero.empty() ? "" : toml_quoted(word_of_zero) + ", or ") +
                  number_text(least) + " to " + number_text(most);
  field.text = [access, word_of_zero](const Settings& settings) {
    const T value = read(access, settings);
    return value == 0 && !word_of_zero.empty() ? toml_quoted(word_of_zero) : number_text(value);
  };
  field.take = [access, least, most, word_of_zero, allowed = field.allowed](
                   Settings& settings, const TomlValue& value) -> std::optional<std::string> {
    const auto* const word = std::get_if<std::string>(&value);
    if (word != nullptr && !word_of_zero.empty() && *word == word_of_zero) {
      access(settings) = 0;
      return std::nullopt;
    }
    const bool is_whole = std::is_integral_v<T>;
    const auto given = number_of(value);
    const bool is_one = given && (!is_whole || std::holds_alternative<std::int64_t>(value));
    if (!is_one) return "expected " + allowed;
    if (!(*given >= static_cast<double>(least) && *given <= static_cast<double>(most)))
      return number_text(*given) + " is out of range: expected " + allowed;
    access(settings) = static_cast<T>(*given);
    return std::nullopt;
  };
  return field;
}

template <typename T>
SettingField choice(std::string key, std::string meaning,
                    std::vector<std::pair<std::string, T>> values, const Access<T>& access) {
  SettingField field = begin_field(std::move(key), std::move(meaning), access);
  for (const auto& [word, value] : values)
    field.allowed += (field.allowed.empty() ? "" : ", ") + toml_quoted(word);
  field.text = [access, values](const Settings& settings) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) {
      return each.second == read(access, settings);
    });
    return toml_quoted(found == values.end() ? values.front().first : found->first);
  };
  field.take = [access, values, allowed = field.allowed](
                   Settings& settings, const TomlValue& value) -> std::optional<std::string> {
    const auto* const word = std::get_if<std::string>(&value);
    if (word == nullptr) return "expected one of " + allowed;
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const auto& each) { return each.first == *word; });
    if (found == values.end()) return "'" + *word + "' is not one of " + allowed;
    access(settings) = found->second;
    return std::nullopt;
  };
  return field;
}

SettingField name_field() {
  const Access<std::string> access = [](Settings& s) -> std::string& { return s.name; };
  SettingField field = begin_field("name", "your name, as others see it", access);
  field.allowed =
      "1 to " + std::to_string(protocol::max_name_bytes) + " bytes, no invisible characters";
  field.text = [](const Settings& settings) { return toml_quoted(settings.name); };
  field.take = [](Settings& settings, const TomlValue& value) -> std::optional<std::string> {
    const auto* const name = std::get_if<std::string>(&value);
    if (name == nullptr) return "expected a text";
    if (auto fault = protocol::name_fault(*name); !fault.empty()) return fault;
    settings.name = *name;
    return std::nullopt;
  };
  return field;
}

SettingField size_field() {
  const Access<render::Size> access = [](Settings& s) -> render::Size& { return s.window; };
  SettingField field = begin_field("window.size", "size of the window at the start", access);
  field.allowed = "\"WIDTHxHEIGHT\", each " + std::to_string(min_window_side) + " to " +
                  std::to_string(max_window_side);
  field.text = [](const Settings& settings) {
    return toml_quoted(std::to_string(settings.window.width) + "x" +
                       std::to_string(settings.window.height));
  };
  field.take = [allowed = field.allowed](Settings& settings,
                                         const TomlValue& value) -> std::optional<std::string> {
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) return "expected " + allowed;
    const std::size_t cross = std::min(text->find('x'), text->size());
    const auto side = [](std::string_view digits) {
      const auto pixels = base::parse_number<int>(digits);
      return pixels && *pixels >= min_window_side && *pixels <= max_window_side ? *pixels : 0;
    };
    const int width = side(std::string_view(*text).substr(0, cross));
    const int height = cross == text->size() ? 0 : side(std::string_view(*text).substr(cross + 1));
    if (width == 0 || height == 0) return "'" + *text + "' is not " + allowed;
    settings.window = {width, height};
    return std::nullopt;
  };
  return field;
}

template <typename T, typename Owner>
Access<T> member(T Owner::*pointer) {
  return [pointer](Settings& settings) -> T& {
    if constexpr (std::is_same_v<Owner, Settings>) {
      return settings.*pointer;
    } else {
      return settings.controls.*pointer;
    }
  };
}

std::vector<SettingField> make_fields() {
  using controls::ControlSettings;
  const std::vector<std::pair<std::string, Quality>> qualities{{"auto", Quality::Auto},
                                                               {"off", Quality::Off},
                                                               {"low", Quality::Low},
                                                               {"high", Quality::High}};
  std::vector<SettingField> fields{
      name_field(),
      flag("play.predict", "client-side prediction, as with `--predict`",
           member(&Settings::is_predicting)),
      size_field(),
      flag("window.fullscreen", "full screen", member(&Settings::is_fullscreen)),
      choice("picture.shadows", "resolution of shadows", qualities, member(&Settings::shadows)),
      choice("picture.antialiasing", "anti-aliasing of edges", qualities, member(&Settings::edges)),
      number("picture.fps", "maximum frame rate", 1, max_frame_limit, "auto",
             member(&Settings::max_frames_per_second)),
      choice("picture.draw-mode", "how bodies are drawn", render::body_looks(),
             member(&Settings::look)),
      number("panels.scale", "scale of text and panels", min_interface_scale, max_interface_scale,
             "auto", member(&Settings::interface_scale)),
      flag("panels.shown", "show panels at the start", member(&Settings::are_panels_shown)),
      flag("panels.net-graph", "show the net graph at the start",
           member(&Settings::is_net_graph_shown)),
      flag("panels.bodies", "show the body list at the start",
           member(&Settings::is_body_browser_shown)),
      flag("panels.help", "show the help at the start", member(&Settings::is_help_shown)),
      number("camera.mouse-sensitivity", "factor on camera turns", 0.1f, 10.0f, "",
             member(&ControlSettings::mouse_sensitivity)),
      number("camera.stick-sensitivity", "factor on camera turns with a gamepad", 0.1f, 10.0f, "",
             member(&ControlSettings::stick_sensitivity)),
      flag("camera.invert", "invert the vertical axis", member(&ControlSettings::is_look_inverted)),
      number("gamepad.dead-zone", "fraction of a stick's range that is ignored", 0.0f, 0.9f, "",
             member(&ControlSettings::dead_zone)),
  };
  add_binding_fields(fields);
  return fields;
}

}  // namespace

std::span<const SettingField> all_fields() {
  static const std::vector<SettingField> fields = make_fields();
  return fields;
}

const SettingField* find_field(std::string_view key) {
  const auto fields = all_fields();
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const SettingField& field) { return field.key() == key; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace jostle::settings
