#include "client/app/headless.h"

#include "client/app/frame_pacing.h"
#include "client/controls/player_controller.h"
#include "shared/base/printable.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

namespace jostle::client_app {
std::optional<std::string> run_headless(net::Io& io, const Options& options, ViewerSession& session,
                                        const StopQuestion& should_stop) {
  constexpr std::int64_t step_us = 1'000'000 / state::default_tick_rate_hz;
  controls::PlayerController pilot(options.script);
  std::int64_t due_us = io.now_us();
  while (!should_stop() && !session.has_failed() && !is_time_up(options, session)) {
    session.update();
    if (io.now_us() >= due_us) {
      due_us = io.now_us() + step_us;
      pilot.fly({}, session.client(), options.size, session.seconds_playing(),
                static_cast<float>(step_us) * 1e-6f);
    }
    std::this_thread::sleep_for(idle_sleep);
  }
  if (session.has_failed()) return session.text();
  return std::nullopt;
}

std::optional<std::string> print_scenes(ViewerSession& session, const StopQuestion& should_stop) {
  client::Client& client = session.client();
  bool is_asked = false;
  while (!should_stop() && !session.has_failed() && client.scenes().empty()) {
    session.update();
    const client::ClientState state = client.status().state;
    const bool is_there =
        state == client::ClientState::Joining || state == client::ClientState::Playing;
    if (is_there && !std::exchange(is_asked, true)) client.ask_for_scenes();
    if (auto notice = session.take_notice()) return *notice;
    std::this_thread::sleep_for(idle_sleep);
  }
  if (session.has_failed()) return session.text();
  for (const protocol::SceneInfo& scene : client.scenes())
    std::printf("%-16s %s\n", base::printable(scene.name).c_str(),
                base::printable(scene.description).c_str());
  return std::nullopt;
}

}  // namespace jostle::client_app
