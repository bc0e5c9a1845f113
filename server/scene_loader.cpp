#include "server/scene_loader.h"

#include "shared/base/optional_memory.h"

#include <new>
#include <utility>

namespace jostle::server {
namespace {

/// Ids that the running world may give to new bodies while a scene is built.
constexpr std::uint32_t spare_ids = 100'000;
/// Memory that must be left after a scene was built, for its definition and its first snapshots.
constexpr std::size_t spare_bytes_per_body = 2'000;

SceneLoader::Loaded read_scene(const SceneCatalogue& catalogue, const std::string& name,
                               const sim::SimulationOptions& options, state::BodyId first_body,
                               std::size_t max_players, const SceneLoader::Preparation& prepare) {
  SceneLoader::Loaded loaded;
  auto scene = catalogue.load(name);
  if (!scene) {
    loaded.unreadable = scene.error();
    return loaded;
  }
  if (auto why_not = why_not_servable(*scene, max_players)) {
    loaded.refused = *std::move(why_not);
    return loaded;
  }
  const std::size_t bodies = scene->bodies.size();
  loaded.journals = prepare(*scene);
  auto prepared = sim::prepare_scene(*std::move(scene), options, first_body);
  // The ticks cannot be left half done, so the memory that they need is tried out here.
  const auto spare = std::make_unique<std::byte[]>(spare_bytes_per_body * bodies);
  loaded.scene = std::move(prepared);
  return loaded;
}

SceneLoader::Loaded load_scene(const SceneCatalogue& catalogue, const std::string& name,
                               const sim::SimulationOptions& options, state::BodyId first_body,
                               std::size_t max_players, const SceneLoader::Preparation& prepare,
                               bool is_beside_ticks) {
#ifdef __cpp_exceptions
  try {
    std::optional<base::OptionalWork> optional;
    if (is_beside_ticks) optional.emplace();
    return read_scene(catalogue, name, options, first_body, max_players, prepare);
  } catch (const std::bad_alloc&) {
    SceneLoader::Loaded loaded;
    loaded.refused = "scene '" + name + "' needs more memory than the server has";
    return loaded;
  }
#else
  return read_scene(catalogue, name, options, first_body, max_players, prepare);
#endif
}

}  // namespace

void SceneLoader::load(const SceneCatalogue& catalogue, const std::string& name,
                       const sim::Simulation& simulation, std::size_t max_players,
                       Preparation prepare) {
  slot_ = std::make_shared<Slot>();
  const state::BodyId next = simulation.bodies().next_id();
  auto job = [slot = slot_, catalogue, name, options = simulation.options(),
              first = state::BodyId{next.value + (executor_ == nullptr ? 0 : spare_ids)},
              max_players, prepare = std::move(prepare), is_beside_ticks = executor_ != nullptr] {
    Loaded loaded =
        load_scene(catalogue, name, options, first, max_players, prepare, is_beside_ticks);
    const std::lock_guard lock(slot->mutex);
    slot->loaded = std::move(loaded);
  };
  if (executor_ == nullptr) return job();
  constexpr std::size_t job_bytes = 1'024;
  if (!executor_->post(job_bytes, std::move(job))) {
    const std::lock_guard lock(slot_->mutex);
    slot_->loaded =
        Loaded{.scene = nullptr, .journals = {}, .unreadable = {}, .refused = "the server is busy"};
  }
}

std::optional<SceneLoader::Loaded> SceneLoader::take() {
  if (slot_ == nullptr) return std::nullopt;
  std::optional<Loaded> loaded;
  {
    const std::lock_guard lock(slot_->mutex);
    loaded = std::exchange(slot_->loaded, std::nullopt);
  }
  if (loaded) slot_.reset();
  return loaded;
}

void SceneLoader::discard(std::shared_ptr<sim::PreparedScene> scene) {
  if (executor_ == nullptr || scene == nullptr) return;
  (void)executor_->post(1, [scene = std::move(scene)]() mutable { scene.reset(); });
}

}  // namespace jostle::server
