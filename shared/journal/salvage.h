#pragma once

#include "shared/base/result.h"
#include "shared/journal/files.h"
#include "shared/journal/recovery.h"
#include "shared/sim/default_rules.h"

#include <functional>
#include <memory>
#include <string>

namespace jostle::journal {

/// Makes a damaged journal usable: moves what follows the newest intact state away, so that a
/// server continues from there. Returns the world with which it continues.
///
/// Each changed segment keeps its content in a file of the name with ".damaged" at the end. A kill
/// or a power loss at any time leaves either the earlier segment or the new one, and when this
/// returns, all changes are durable. `tell` is called with a sentence for each moved file.
///
/// Only damage is moved away. Intact ticks that replay to another state are given up only if
/// `gives_up_ticks`. If another program must continue the journal, that is an error in the end.
base::Result<std::unique_ptr<Restored>, RestoreError> salvage(
    Files& files, const std::string& folder, bool gives_up_ticks,
    const std::function<void(const std::string&)>& tell,
    const sim::RuleFactory& rules = sim::default_rules);

}  // namespace jostle::journal
