#pragma once

#include "api/server/game.h"
#include "shared/sim/rule.h"

#include <jostle/server/rules.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::api {

/// A checked definition of a rule, with its own copy of the name.
struct RuleDefinition {
  std::string name;
  jostle_rule_def def{};  // its name is null
};
using RuleDefinitions = std::vector<std::shared_ptr<const RuleDefinition>>;

/// Reads and checks an array of definitions of the caller.
RuleDefinitions checked_rules(const jostle_rule_def* rules, std::size_t count);
/// Returns the default rules, followed by the rules of the caller.
std::vector<std::unique_ptr<sim::Rule>> make_rules(const RuleDefinitions& definitions);

/// A rule that calls the functions of a definition.
class CallbackRule final : public sim::Rule {
 public:
  explicit CallbackRule(std::shared_ptr<const RuleDefinition> definition);
  ~CallbackRule() override;
  CallbackRule(const CallbackRule&) = delete;
  CallbackRule& operator=(const CallbackRule&) = delete;

  std::string_view name() const override { return definition_->name; }
  std::unique_ptr<sim::Rule> another() const override;
  const std::vector<state::ShownValue>& values() const override { return values_; }
  void reset(sim::RuleContext& context) override;
  void player_joined(sim::RuleContext& context, sim::Player& player) override;
  void player_left(sim::RuleContext& context, sim::Player& player) override;
  void before_step(sim::RuleContext& context) override;
  void after_step(sim::RuleContext& context) override;
  void save(base::ByteWriter& writer) const override;
  void restore(base::ByteReader& reader, const sim::BodyRegistry& bodies) override;

  /// Shows a value, which replaces the one of the same name and receiver. Returns false if the
  /// receiver would see too many.
  bool show(state::ShownValue value);
  /// Returns false if there is no such value.
  bool hide(state::PlayerId player, std::string_view name);

 private:
  const jostle_rule_def& def() const { return definition_->def; }
  void* state() { return memory_.data(); }
  const void* state() const { return memory_.data(); }
  void begin_state();
  void end_state();
  void call(sim::RuleContext& context, jostle_rule_function function);
  void call(sim::RuleContext& context, jostle_rule_player_function function,
            state::PlayerId player);
  void restore_state(base::ByteReader& reader);
  void restore_values(base::ByteReader& reader);

  std::shared_ptr<const RuleDefinition> definition_;
  std::vector<std::max_align_t> memory_;
  std::vector<state::ShownValue> values_;
  LentGame game_;
};

}  // namespace jostle::api
