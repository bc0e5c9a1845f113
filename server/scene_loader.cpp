#include "server/scene_loader.h"

#include "shared/base/optional_memory.h"
#include "shared/scene_files/scene_files.h"

#include <algorithm>
#include <new>
#include <utility>

namespace jostle::server {
namespace {

/// Ids that the running world may give to new bodies while a scene is built.
constexpr std::uint32_t spare_ids = 100'000;
// Memory that must be left after a scene was built, in bytes: for its definition, for the saves of
// its state, and for the snapshots of each client. Measured with scenes of 10,000 to 90,000 bodies.
constexpr std::size_t spare_bytes_per_body = 4'000;
constexpr std::size_t spare_bytes_per_moving_body = 12'000;
constexpr std::size_t spare_bytes_per_moving_body_and_client = 3'000;

std::size_t spare_bytes_for(const scene::SceneDef& scene, std::size_t clients) {
  const auto moving = static_cast<std::size_t>(std::count_if(
      scene.bodies.begin(), scene.bodies.end(),
      [](const scene::SceneBody& body) { return body.motion != state::MotionType::Static; }));
  return spare_bytes_per_body * scene.bodies.size() +
         (spare_bytes_per_moving_body + spare_bytes_per_moving_body_and_client * clients) * moving;
}

SceneLoader::Loaded read_scene(const SceneCatalogue& catalogue, const std::string& name,
                               const sim::SimulationOptions& options, state::BodyId first_body,
                               const SceneLoader::Places& places,
                               const SceneLoader::Preparation& prepare) {
  SceneLoader::Loaded loaded;
  auto scene = catalogue.load(name);
  if (!scene) {
    loaded.unreadable = scene.error();
    return loaded;
  }
  if (auto why_not = why_not_servable(*scene, places.max_players)) {
    loaded.refused = *std::move(why_not);
    return loaded;
  }
  const std::size_t spare_bytes = spare_bytes_for(*scene, places.clients);
  loaded.journals = prepare(*scene);
  loaded.file = scene::scene_path(name);
  auto prepared = sim::prepare_scene(*std::move(scene), options, first_body);
  // The ticks cannot be left half done, so the memory that they need is tried out here.
  const auto spare = std::make_unique<std::byte[]>(spare_bytes);
  loaded.scene = std::move(prepared);
  return loaded;
}

SceneLoader::Loaded load_scene(const SceneCatalogue& catalogue, const std::string& name,
                               const sim::SimulationOptions& options, state::BodyId first_body,
                               const SceneLoader::Places& places,
                               const SceneLoader::Preparation& prepare, bool is_beside_ticks) {
#ifdef __cpp_exceptions
  try {
    std::optional<base::OptionalWork> optional;
    if (is_beside_ticks) optional.emplace();
    return read_scene(catalogue, name, options, first_body, places, prepare);
  } catch (const std::bad_alloc&) {
    SceneLoader::Loaded loaded;
    loaded.refused = "scene '" + name + "' needs more memory than the server has";
    return loaded;
  }
#else
  return read_scene(catalogue, name, options, first_body, places, prepare);
#endif
}

}  // namespace

void SceneLoader::load(const SceneCatalogue& catalogue, const std::string& name,
                       const sim::Simulation& simulation, const Places& places,
                       Preparation prepare) {
  slot_ = std::make_shared<Slot>();
  const state::BodyId next = simulation.bodies().next_id();
  auto job = [slot = slot_, catalogue, name, options = simulation.options(),
              first = state::BodyId{next.value + (executor_ == nullptr ? 0 : spare_ids)}, places,
              prepare = std::move(prepare), is_beside_ticks = executor_ != nullptr] {
    Loaded loaded = load_scene(catalogue, name, options, first, places, prepare, is_beside_ticks);
    const std::lock_guard lock(slot->mutex);
    slot->loaded = std::move(loaded);
  };
  if (executor_ == nullptr) return job();
  constexpr std::size_t job_bytes = 1'024;
  if (!executor_->post(job_bytes, std::move(job))) {
    const std::lock_guard lock(slot_->mutex);
    slot_->loaded = Loaded{.scene = nullptr,
                           .journals = {},
                           .file = {},
                           .unreadable = {},
                           .refused = "the server is busy"};
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
