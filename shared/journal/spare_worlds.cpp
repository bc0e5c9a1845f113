#include "shared/journal/spare_worlds.h"

#include "shared/base/log.h"
#include "shared/base/optional_memory.h"

#include <new>
#include <utility>

namespace jostle::journal {

SpareWorlds::Builder SpareWorlds::builder_for(const sim::Simulation& simulation) {
  using Rules = std::vector<std::unique_ptr<sim::Rule>>;
  // std::function copies its target, so the rules are shared.
  auto rules = std::make_shared<Rules>();
  for (const auto& rule : simulation.rules())
    rules->push_back(rule->another());
  return [rules, options = simulation.options()](const scene::SceneDef& scene) {
    auto pool = std::make_shared<Pool>();
    for (std::size_t i = 0; i < spare_count; ++i) {
      Rules own;
      for (const auto& rule : *rules)
        own.push_back(rule->another());
      pool->free.push_back(std::make_unique<sim::Simulation>(scene, options, std::move(own)));
    }
    pool->built = spare_count;
    return pool;
  };
}

void SpareWorlds::begin(const sim::Simulation& simulation, std::shared_ptr<Pool> built) {
  pool_ = built != nullptr ? std::move(built) : std::make_shared<Pool>();
  if (pool_->built > 0) return;
  auto job = [pool = pool_, build = builder_for(simulation), scene = simulation.scene()] {
    const auto fill = [&] {
      const std::shared_ptr<Pool> made = build(scene);
      const std::lock_guard lock(pool->mutex);
      pool->free = std::move(made->free);
      pool->built = made->built;
    };
#ifdef __cpp_exceptions
    try {
      const base::OptionalWork optional;
      fill();
    } catch (const std::bad_alloc&) {
      base::warn("no memory for copies of the world; keyframes are made within ticks");
    }
#else
    fill();
#endif
  };
  if (builder_ == nullptr) return job();
  (void)builder_->post(1'024, std::move(job));
}

bool SpareWorlds::are_busy() const {
  if (pool_ == nullptr) return false;
  const std::lock_guard lock(pool_->mutex);
  return pool_->built > 0 && pool_->free.empty();
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
