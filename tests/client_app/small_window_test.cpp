// The layout of panels in windows that are too small for all of them.
#include "client/panels/hud.h"
#include "tests/client_app/studio.h"

#include <gtest/gtest.h>

#include <memory>

namespace jostle::client_app {
namespace {

using panels::Panel;

/// A HUD without bodies in a window of this size.
template <int Width, int Height>
class PanelsIn : public StudioTest<Width, Height> {
 protected:
  void SetUp() override {
    StudioTest<Width, Height>::SetUp();
    if (this->IsSkipped()) return;
    hud_ = panels::Hud::create(this->studio_->window());
    ASSERT_NE(hud_, nullptr);
  }
  std::vector<std::uint8_t> drawn(panels::PanelSet panels) {
    hud_->open(panels);
    const auto draw = [this] {
      hud_->draw({.status = status_,
                  .metrics = metrics_,
                  .world = world_,
                  .bodies = {},
                  .labels = labels_,
                  .bad_network = "",
                  .view = {},
                  .frames_per_second = 60,
                  .chooser = &chooser_,
                  .scenes = {},
                  .choice = &choice_,
                  .statistics = &statistics_,
                  .aim = std::nullopt,
                  .settings = {settings_panel_, settings_, {}}});
    };
    constexpr int until_panels_fit = 4;
    for (int i = 0; i < until_panels_fit; ++i)
      draw();
    return this->studio_->draw_flat(draw).bytes;
  }
  /// Returns true if opening the status panel changes nothing, because another panel needs its
  /// place.
  bool hides_status(Panel panel) {
    return drawn(bit_of(Panel::Hud) | bit_of(panel)) == drawn(bit_of(panel));
  }

  client::Status status_{client::ClientState::Playing, "", {1}};
  client::Metrics metrics_;
  state::WorldDef world_;
  state::Labels labels_;
  state::ServerStatistics statistics_;
  panels::DrawChoice choice_;
  panels::SceneChooser chooser_;
  panels::SettingsPanel settings_panel_;
  settings::Settings settings_;
  std::unique_ptr<panels::Hud> hud_;
};

using PanelsInASmallWindow = PanelsIn<400, 300>;
using PanelsInALargerWindow = PanelsIn<640, 360>;
constexpr Panel panels_beside_the_status[] = {Panel::Bodies, Panel::Statistics, Panel::Draw};

TEST_F(PanelsInASmallWindow, HideTheStatusPanelInsteadOfCoveringIt) {
  EXPECT_NE(drawn(bit_of(Panel::Hud)), drawn(0));
  for (const Panel panel : panels_beside_the_status)
    EXPECT_TRUE(hides_status(panel)) << panels::names_of(bit_of(panel));
  EXPECT_TRUE(hides_status(Panel::NetGraph));
  EXPECT_TRUE(hides_status(Panel::Console));
  chooser_.toggle_panel();
  EXPECT_EQ(drawn(bit_of(Panel::Hud)), drawn(0)) << "the scene list";
  chooser_.toggle_panel();
  settings_panel_.toggle();
  EXPECT_EQ(drawn(bit_of(Panel::Hud)), drawn(0)) << "the settings";
}

TEST_F(PanelsInALargerWindow, AreBesideTheStatusPanel) {
  for (const Panel panel : panels_beside_the_status)
    EXPECT_FALSE(hides_status(panel)) << panels::names_of(bit_of(panel));
  EXPECT_FALSE(hides_status(Panel::NetGraph));
}

}  // namespace
}  // namespace jostle::client_app
