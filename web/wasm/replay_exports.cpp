// Playback of recordings that the user has dropped on the page.
#include "client/controls/player_controller.h"
#include "client/render/rope_marks.h"
#include "client/render/shown_bodies.h"
#include "client/replay/replay_player.h"
#include "shared/record/recording_reader.h"

#include "web/wasm/exports.h"
#include "web/wasm/json_writer.h"
#include "web/wasm/page_io.h"
#include "web/wasm/picture_source.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::web {
namespace {

/// Time that one frame may spend on simulating ticks: the longer of these two. Where drawing is
/// slow, a share of the frame keeps seeking from taking a multiple of the drawing time.
constexpr std::int64_t least_budget_us = 12'000;
constexpr double budget_share = 0.75;

class ReplayHost final : public PictureSource {
 public:
  /// `cut` says which file has lost its end; empty: none.
  ReplayHost(std::unique_ptr<replay::ReplayPlayer> player, std::string cut)
      : player_(std::move(player)), cut_(std::move(cut)) {
    rig_.set(player_->tape().simulation().world_def().camera);
  }

  void advance(const controls::UserInput& user, render::Size size, float seconds) override {
    const std::int64_t budget_us =
        std::max(least_budget_us, static_cast<std::int64_t>(seconds * budget_share * 1e6));
    const std::int64_t end_us = page_io().now_us() + budget_us;
    player_->advance(static_cast<double>(seconds),
                     [end_us] { return page_io().now_us() < end_us; });
    for (const controls::Command command : user.commands)
      execute(command);
    controls::move_camera(rig_, user, size, seconds);
    const client::ShownBody* followed = render::find_body(player_->scene().bodies, followed_);
    if (followed != nullptr) rig_.follow(followed->pose.position, seconds);
  }
  bool is_ready() const override { return true; }

  render::Picture picture() override {
    const replay::TickScene& scene = player_->scene();
    render::Picture picture;
    picture.view = rig_.view();
    picture.focus = rig_.target();
    picture.bodies = scene.bodies;
    picture.particles = scene.particles;
    marks_.clear();
    render::add_rope_marks(scene.ropes, scene.bodies, marks_);
    picture.marks = marks_;
    if (const auto* difference = player_->difference()) picture.ghosts = difference->ghosts;
    const ViewChoice& choice = view_choice();
    if (choice.layers != 0) picture.debug_draw = &player_->debug_draw(choice.layers);
    return picture;
  }
  void look(const state::Camera& camera) override { rig_.set(camera); }
  const render::CameraRig& rig() const override { return rig_; }
  void follow(state::BodyId body) override {
    followed_ = body;
    rig_.set_mode(body.is_null() ? render::CameraMode::Orbit : render::CameraMode::Follow);
  }

  replay::ReplayPlayer& player() { return *player_; }
  const std::string& cut() const { return cut_; }

 private:
  void execute(controls::Command command) {
    const bool is_flying = rig_.mode() == render::CameraMode::Fly;
    if (command == controls::Command::ToggleFly)
      rig_.set_mode(is_flying ? render::CameraMode::Orbit : render::CameraMode::Fly);
    if (command == controls::Command::ToggleFollow) {
      const bool is_following = rig_.mode() == render::CameraMode::Follow;
      follow(is_following ? state::BodyId{} : view_choice().selected);
    }
  }

  std::unique_ptr<replay::ReplayPlayer> player_;
  std::string cut_;
  render::CameraRig rig_;
  state::BodyId followed_;
  std::vector<render::Mark> marks_;
};

std::unique_ptr<ReplayHost>& host() {
  static std::unique_ptr<ReplayHost> replay;
  return replay;
}

base::Result<record::Recording, std::string> read(const std::byte* bytes, std::uint32_t size) {
  auto recording = record::read_recording({bytes, size});
  if (!recording) return "this is no recording: " + recording.error().text();
  return *std::move(recording);
}

std::string cut_text(const record::Recording& shown,
                     const std::optional<record::Recording>& compared) {
  const bool is_compared_cut = compared && !compared->is_closed;
  if (shown.is_closed && !is_compared_cut) return {};
  const char* const which = shown.is_closed        ? "the second recording has"
                            : is_compared_cut      ? "both recordings have"
                            : compared.has_value() ? "the first recording has"
                                                   : "this recording has";
  return std::string(which) + " lost its end: the file was cut, or its writer was interrupted";
}

void write_ranges(JsonWriter& json, const char* name,
                  const std::vector<record::TickRange>& ranges) {
  json.key(name).open('[');
  for (const record::TickRange& range : ranges)
    json.open('[').number(range.first.number).number(range.last.number).close(']');
  json.close(']');
}

void write_ticks(JsonWriter& json, const char* name, const std::vector<state::Tick>& ticks) {
  json.key(name).open('[');
  for (const state::Tick tick : ticks)
    json.number(tick.number);
  json.close(']');
}

}  // namespace

/// Opens a recording, and a second one for comparison unless its size is 0. Stores an error
/// message, or nothing.
JOSTLE_EXPORT(replay_open)
void replay_open(const std::byte* bytes, std::uint32_t size, const std::byte* other,
                 std::uint32_t other_size) {
  auto shown = read(bytes, size);
  if (!shown) return set_result(shown.error());
  std::optional<record::Recording> compared;
  if (other_size != 0) {
    auto second = read(other, other_size);
    if (!second) return set_result(second.error());
    compared = *std::move(second);
  }
  std::string cut = cut_text(*shown, compared);
  auto player = replay::ReplayPlayer::create(*std::move(shown), std::move(compared));
  if (!player) return set_result(player.error());
  host() = std::make_unique<ReplayHost>(*std::move(player), std::move(cut));
  set_source(host().get());
  set_result("");
}

JOSTLE_EXPORT(replay_close) void replay_close() {
  if (source() == host().get()) set_source(nullptr);
  host().reset();
}

JOSTLE_EXPORT(replay_toggle) void replay_toggle() {
  if (host()) host()->player().toggle();
}
JOSTLE_EXPORT(replay_seek) void replay_seek(std::uint32_t tick) {
  if (host()) host()->player().seek({tick});
}
JOSTLE_EXPORT(replay_step) void replay_step(std::int32_t ticks) {
  if (host()) host()->player().step(ticks);
}
JOSTLE_EXPORT(replay_change_rate) void replay_change_rate(std::int32_t steps) {
  if (host()) host()->player().change_rate(steps);
}
/// Seeks the first difference. Returns 0 if none is known.
JOSTLE_EXPORT(replay_seek_difference) std::uint32_t replay_seek_difference() {
  return host() && host()->player().seek_difference() ? 1 : 0;
}

/// Stores the state of the playback as JSON: ticks, speed, marks of the time line, and the
/// differences from the recording and from the second one. Null without a recording.
JOSTLE_EXPORT(replay_status) void replay_status() {
  if (!host()) return set_result("null");
  replay::ReplayPlayer& player = host()->player();
  JsonWriter json;
  json.open('{').field("first", player.first().number).field("last", player.last().number);
  json.field("tick", player.tick().number).field("wanted", player.wanted().number);
  json.field("there", player.is_there()).field("playing", player.is_playing());
  json.field("rate", player.rate()).field("hz", player.tick_rate_hz());
  json.field("scene", player.tape().recording().header.scene_file);
  json.field("program", player.tape().recording().header.program);
  json.field("compared", player.has_other());
  json.field("cut", host()->cut());
  const auto matches = player.matches_recording();
  json.key("matches");
  matches ? json.flag(*matches) : json.number(0.0 / 0.0);
  json.field("differs", player.differs_now());
  if (const auto* difference = player.difference()) {
    json.key("difference").open('{').field("bodies", difference->bodies);
    json.field("farthest", difference->farthest.value);
    json.field("distance", difference->distance).close('}');
  }
  write_ranges(json, "differing", player.differing());
  write_ranges(json, "diverged", player.diverged());
  write_ticks(json, "faults", player.faults());
  json.key("labels").open('[');
  for (const state::Label& line : player.scene().labels.lines) {
    json.open('{').field("name", line.name).field("kind", static_cast<int>(line.kind));
    json.field("value", line.value).field("text", line.text).close('}');
  }
  json.close(']');
  if (const auto* report = player.report(view_choice().selected)) {
    json.key("report").open('{').field("body", report->body.value).field("mass", report->mass);
    json.field("contacts", report->contact_points)
        .field("island", report->island_bodies)
        .close('}');
  }
  json.close('}');
  set_result(json.take());
}

}  // namespace jostle::web
