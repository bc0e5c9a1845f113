#include "shared/journal/spare_worlds.h"

#include "shared/base/log.h"

#include <new>
#include <utility>

namespace jostle::journal {

SpareWorlds::~SpareWorlds() {
  for (std::thread& builder : builders_)
    builder.join();
}

void SpareWorlds::begin(const sim::Simulation& simulation) {
  pool_ = std::make_shared<Pool>();
  std::array<std::vector<std::unique_ptr<sim::Rule>>, spare_count> rules;
  for (auto& copy : rules) {
    for (const auto& rule : simulation.rules())
      copy.push_back(rule->another());
  }
  builders_.emplace_back([pool = pool_, scene = simulation.scene(), options = simulation.options(),
                          rules = std::move(rules)]() mutable {
#ifdef __cpp_exceptions
    try {
#endif
      for (auto& copy : rules) {
        auto built = std::make_unique<sim::Simulation>(scene, options, std::move(copy));
        const std::lock_guard lock(pool->mutex);
        pool->free.push_back(std::move(built));
      }
#ifdef __cpp_exceptions
    } catch (const std::bad_alloc&) {
      base::warn("no memory for copies of the world; keyframes are made within ticks");
    }
#endif
  });
}

std::shared_ptr<const sim::Simulation> SpareWorlds::copy(const sim::Simulation& simulation) {
  if (pool_ == nullptr) return nullptr;
  std::unique_ptr<sim::Simulation> spare;
  {
    const std::lock_guard lock(pool_->mutex);
    if (pool_->free.empty()) return nullptr;
    spare = std::move(pool_->free.back());
    pool_->free.pop_back();
  }
  spare->copy_from(simulation);
  return {spare.release(), [pool = pool_](sim::Simulation* used) {
            std::unique_ptr<sim::Simulation> owned(used);
            const std::lock_guard lock(pool->mutex);
            pool->free.push_back(std::move(owned));
          }};
}

}  // namespace jostle::journal
