#pragma once

#include "client/client.h"
#include "client/controls/player_controller.h"

#include "web/wasm/picture_source.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::web {

/// Use of the engine by a client of the page.
enum class EngineUse : std::uint8_t { None = 0, Predict = 1, Lockstep = 2 };

/// The engine's parts of a client. The thin module has none.
struct ClientEngine {
  std::unique_ptr<client::Predictor> predictor;
  std::unique_ptr<client::LockstepEngine> lockstep;
};
/// Returns the parts for a use; without parts if the module has no engine.
ClientEngine make_client_engine(EngineUse use);

/// The client of the page: a connection, its world and the camera.
class ClientHost final : public PictureSource {
 public:
  ClientHost(const client::Options& options, EngineUse use);

  void advance(const controls::UserInput& user, render::Size size, float seconds) override;
  bool is_ready() const override;
  render::Picture picture() override;
  void look(const state::Camera& camera) override { controller_.look(camera); }
  const render::CameraRig& rig() const override { return controller_.rig(); }
  void follow(state::BodyId body) override { controller_.follow(body); }

  client::Client& client() { return client_; }

 private:
  void set_interest(render::Size size);

  ClientEngine engine_;
  client::Client client_;
  controls::PlayerController controller_{controls::Script::None};
  double seconds_playing_ = 0;
  std::vector<render::Mark> marks_;
  std::vector<client::ShownBody> ghosts_;
};

/// Returns the client; null before client_start().
ClientHost* client_host();

}  // namespace jostle::web
