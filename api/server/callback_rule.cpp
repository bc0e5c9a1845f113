#include "api/server/callback_rule.h"

#include "api/base/definition.h"
#include "shared/sim/default_rules.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <utility>

namespace jostle::api {
namespace {

constexpr std::size_t max_rule_name_bytes = 64;

/// Gives the callback access to the game until the end of this object.
class OpenGame {
 public:
  OpenGame(LentGame& game, sim::RuleContext& context, CallbackRule& rule) : game_(game) {
    game_.open(context, rule);
  }
  ~OpenGame() { game_.close(); }
  OpenGame(const OpenGame&) = delete;
  OpenGame& operator=(const OpenGame&) = delete;

 private:
  LentGame& game_;
};

}  // namespace

CallbackRule::CallbackRule(std::shared_ptr<const RuleDefinition> definition)
    : definition_(std::move(definition)) {
  begin_state();
}

CallbackRule::~CallbackRule() {
  end_state();
}

std::unique_ptr<sim::Rule> CallbackRule::another() const {
  return std::make_unique<CallbackRule>(definition_);
}

void CallbackRule::begin_state() {
  constexpr std::size_t unit = sizeof(std::max_align_t);
  // At least one unit, so that the address is never null.
  memory_.resize(def().state_size / unit + 1);
  std::memset(static_cast<void*>(memory_.data()), 0, memory_.size() * unit);
  if (def().create != nullptr) def().create(def().user, state());
}

void CallbackRule::end_state() {
  if (def().destroy != nullptr) def().destroy(def().user, state());
}

void CallbackRule::call(sim::RuleContext& context, jostle_rule_function function) {
  if (function == nullptr) return;
  const OpenGame open(game_, context, *this);
  function(def().user, state(), game_.handle());
}

void CallbackRule::call(sim::RuleContext& context, jostle_rule_player_function function,
                        state::PlayerId player) {
  if (function == nullptr) return;
  const OpenGame open(game_, context, *this);
  function(def().user, state(), game_.handle(), player.value);
}

void CallbackRule::reset(sim::RuleContext& context) {
  if (def().reset != nullptr) return call(context, def().reset);
  end_state();
  begin_state();
  values_.clear();
}

void CallbackRule::player_joined(sim::RuleContext& context, sim::Player& player) {
  call(context, def().player_joined, player.id);
}

/// Values of a player who left disappear, because another player may get the id.
void CallbackRule::player_left(sim::RuleContext& context, sim::Player& player) {
  call(context, def().player_left, player.id);
  std::erase_if(values_, [&](const auto& value) { return value.player == player.id; });
}

void CallbackRule::before_step(sim::RuleContext& context) {
  call(context, def().before_step);
}

void CallbackRule::after_step(sim::RuleContext& context) {
  call(context, def().after_step);
}

void CallbackRule::save(base::ByteWriter& writer) const {
  std::vector<std::byte> bytes(def().state_size);
  if (def().save == nullptr) {
    if (!bytes.empty()) std::memcpy(bytes.data(), state(), bytes.size());
  } else {
    const std::size_t needed = def().save(def().user, state(), bytes.data(), bytes.size());
    const bool fits = needed <= bytes.size();
    bytes.resize(std::min<std::size_t>(needed, JOSTLE_MAX_RULE_STATE_BYTES));
    if (!fits) def().save(def().user, state(), bytes.data(), bytes.size());
  }
  writer.u32(static_cast<std::uint32_t>(bytes.size()));
  writer.raw(bytes);
  writer.u32(static_cast<std::uint32_t>(values_.size()));
  for (const state::ShownValue& value : values_) {
    writer.u16(value.player.value);
    writer.u8(static_cast<std::uint8_t>(value.label.kind));
    writer.f32(value.label.value);
    writer.text(value.label.name);
    writer.text(value.label.text);
  }
}

void CallbackRule::restore_state(base::ByteReader& reader) {
  const std::uint32_t size = reader.count(1);
  const std::span<const std::byte> bytes = reader.raw(size);
  if (!reader.ok()) return;
  if (def().load != nullptr) {
    if (def().load(def().user, state(), bytes.data(), bytes.size()) != 1) reader.fail();
  } else if (bytes.size() != def().state_size) {
    reader.fail();
  } else if (!bytes.empty()) {
    std::memcpy(state(), bytes.data(), bytes.size());
  }
}

void CallbackRule::restore_values(base::ByteReader& reader) {
  constexpr std::size_t least_bytes = 2 + 1 + 4 + 4 + 4;
  const std::uint32_t count = reader.count(least_bytes);
  values_.clear();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    state::ShownValue value;
    value.player.value = reader.u16();
    const std::uint8_t kind = reader.u8();
    value.label.kind = static_cast<state::LabelKind>(kind);
    value.label.value = reader.f32();
    value.label.name = reader.text(state::max_value_name_bytes);
    value.label.text = reader.text(state::max_value_text_bytes);
    if (kind < state::label_kind_count || kind >= state::shown_kind_count ||
        !std::isfinite(value.label.value))
      reader.fail();
    if (reader.ok()) values_.push_back(std::move(value));
  }
}

void CallbackRule::restore(base::ByteReader& reader, const sim::BodyRegistry&) {
  restore_state(reader);
  if (reader.ok()) restore_values(reader);
}

bool CallbackRule::show(state::ShownValue value) {
  for (state::ShownValue& known : values_) {
    if (known.player != value.player || known.label.name != value.label.name) continue;
    known = std::move(value);
    return true;
  }
  // Every receiver sees the values for all and its own.
  std::map<state::PlayerId, std::size_t> counts;
  for (const state::ShownValue& known : values_)
    ++counts[known.player];
  const std::size_t of_all = std::exchange(counts[state::PlayerId{}], 0);
  std::size_t most = counts[value.player];
  if (value.player.is_null())
    for (const auto& [player, count] : counts)
      most = std::max(most, count);
  if (of_all + most >= state::max_shown_values) return false;
  values_.push_back(std::move(value));
  return true;
}

bool CallbackRule::hide(state::PlayerId player, std::string_view name) {
  return std::erase_if(values_, [&](const state::ShownValue& value) {
           return value.player == player && value.label.name == name;
         }) > 0;
}

template <>
jostle_rule_def default_of() {
  jostle_rule_def def{};
  def.size = sizeof def;
  return def;
}

namespace {

std::string checked_rule_name(const char* name) {
  require_pointer(name, "rules->name");
  const std::size_t length = strnlen(name, max_rule_name_bytes + 1);
  const auto is_valid = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == ' ';
  };
  if (length == 0 || length > max_rule_name_bytes || !std::all_of(name, name + length, is_valid)) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "rules->name is '%.64s'; accepted: 1 to %zu letters, digits, '_', '-' and spaces", name,
           max_rule_name_bytes);
  }
  return {name, length};
}

std::shared_ptr<const RuleDefinition> checked_rule(const jostle_rule_def& def) {
  auto definition = std::make_shared<RuleDefinition>();
  definition->name = checked_rule_name(def.name);
  const char* const name = definition->name.c_str();
  if (def.state_size > JOSTLE_MAX_RULE_STATE_BYTES) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "state_size of the rule '%s' is %zu; accepted: 0 to %d",
           name, def.state_size, JOSTLE_MAX_RULE_STATE_BYTES);
  }
  if ((def.save == nullptr) != (def.load == nullptr)) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "the rule '%s' has only one of save and load; accepted: both or none", name);
  }
  if (def.save == nullptr && (def.create != nullptr || def.destroy != nullptr)) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "the rule '%s' has create or destroy, so its state is more than bytes; it needs save "
           "and load",
           name);
  }
  definition->def = def;
  definition->def.name = nullptr;
  return definition;
}

}  // namespace

RuleDefinitions checked_rules(const jostle_rule_def* rules, std::size_t count) {
  RuleDefinitions definitions;
  if (count == 0) return definitions;
  require_pointer(rules, "rules");
  require_integer(static_cast<std::int64_t>(std::min<std::size_t>(count, INT32_MAX)), 0,
                  JOSTLE_MAX_RULES, "rule_count");
  std::size_t stride = 0;
  std::memcpy(&stride, rules, sizeof stride);
  require_size<jostle_rule_def>(stride, "rules");
  std::vector<std::string> names;
  for (const auto& rule : sim::default_rules())
    names.emplace_back(rule->name());
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const at =
        reinterpret_cast<const jostle_rule_def*>(reinterpret_cast<const char*>(rules) + i * stride);
    const auto def = read_struct(at, "rules");
    auto definition = checked_rule(def);
    if (std::find(names.begin(), names.end(), definition->name) != names.end()) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "there is another rule with the name '%s'",
             definition->name.c_str());
    }
    names.push_back(definition->name);
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

std::vector<std::unique_ptr<sim::Rule>> make_rules(const RuleDefinitions& definitions) {
  std::vector<std::unique_ptr<sim::Rule>> rules = sim::default_rules();
  for (const auto& definition : definitions)
    rules.push_back(std::make_unique<CallbackRule>(definition));
  return rules;
}

}  // namespace jostle::api

jostle_result jostle_rule_def_init(jostle_rule_def* def, size_t size) {
  return jostle::api::write_default(__func__, def, size);
}
