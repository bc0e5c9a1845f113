#include "shared/desync_search/sync_test.h"

#include "shared/base/counted.h"
#include "shared/sim/rules_of.h"

namespace jostle::desync_search {

void SyncTest::check(const sim::Simulation& now, const state::TickCommands& commands) {
  if (ticks_ == 0) return;
  if (!check_)
    check_.emplace(sim::Simulation(now.scene(), now.options(), sim::new_rules(now)), ticks_);
  ++checked_;
  if (check_->check(now, commands) && !mismatch_) mismatch_ = now.tick();
}

std::string SyncTest::text() const {
  return "sync test: " + base::counted(checked_, "rollback") + " of " +
         base::counted(ticks_, "tick") + ", " +
         (mismatch_ ? "MISMATCH from tick " + std::to_string(mismatch_->number) : "no mismatch");
}

}  // namespace jostle::desync_search
