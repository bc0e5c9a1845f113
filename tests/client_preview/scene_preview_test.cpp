#include "client/preview/scene_preview.h"

#include "client/client.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "tests/client_preview/scratch_folder.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace jostle::preview {
namespace {

constexpr std::int64_t patience_us = 60'000'000;

/// Returns the text of a scene with one crate, whose name is `crate`.
std::string scene_with(const std::string& crate) {
  return R"({ "name": "any", "spawns": [{ "position": [0, 1, 5] }],
  "bodies": [
    { "name": "ground", "motion_type": "static", "shape": { "plane": {} } },
    { "name": ")" +
         crate + R"(", "position": [0, 0.5, 0], "shape": { "box": { "size": [1, 1, 1] } } }
  ] })";
}

class ScenePreviewTest : public ScratchFolder {
 protected:
  void open(const std::string& name) {
    auto made = ScenePreview::create(path(name));
    ASSERT_TRUE(made) << made.error();
    preview_ = *std::move(made);
  }
  void join() {
    net::EnetOptions options;
    options.max_peers = 1;
    options.is_accepting = false;
    transport_ = net::EnetTransport::create(io_, options).value();
    client::Options client_options;
    client_options.server = preview_->address();
    client_ = std::make_unique<client::Client>(io_, *transport_, client_options);
  }
  template <typename Condition>
  bool see(Condition condition) {
    const std::int64_t end_us = io_.now_us() + patience_us;
    while (io_.now_us() < end_us) {
      if (client_ != nullptr) client_->update();
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  bool see_body(const std::string& name) {
    return see([&] {
      const auto& bodies = client_->world().bodies;
      return std::any_of(bodies.begin(), bodies.end(),
                         [&](const state::BodyInfo& body) { return body.name == name; });
    });
  }
  bool see_loads(std::uint64_t loads) {
    return see([&] { return preview_->news().loads == loads; });
  }

  net::SystemIo io_;
  std::unique_ptr<ScenePreview> preview_;
  std::unique_ptr<net::Transport> transport_;
  std::unique_ptr<client::Client> client_;
};

TEST_F(ScenePreviewTest, ShowsTheFileAndLoadsItAgainWhenItIsSaved) {
  save_in_place("my.scene.json", scene_with("first"));
  open("my.scene.json");
  EXPECT_EQ(preview_->news().error, std::nullopt);
  join();
  ASSERT_TRUE(see_body("first"));
  EXPECT_EQ(client_->world().scene_name, "any");
  save_in_place("my.scene.json", scene_with("second"));
  ASSERT_TRUE(see_body("second"));
  save_by_rename("my.scene.json", scene_with("third of all"));
  ASSERT_TRUE(see_body("third of all"));
  EXPECT_EQ(client_->status().state, client::ClientState::Playing);
}

TEST_F(ScenePreviewTest, KeepsTheWorldAndReportsThePlaceWhileTheFileHasAnError) {
  save_in_place("my.scene.json", scene_with("first"));
  open("my.scene.json");
  join();
  ASSERT_TRUE(see_body("first"));
  save_in_place("my.scene.json", "{\n  \"nam\": \"x\"\n}");
  ASSERT_TRUE(see_loads(2));
  ASSERT_TRUE(preview_->news().error);
  EXPECT_NE(preview_->news().error->find("my.scene.json:2:3: "), std::string::npos)
      << *preview_->news().error;
  EXPECT_FALSE(preview_->news().is_missing);
  EXPECT_TRUE(preview_->news().has_world);
  const state::Tick tick = client_->metrics().newest_tick;
  EXPECT_TRUE(see([&] { return client_->metrics().newest_tick > tick + 10; }));
  EXPECT_TRUE(see_body("first"));
  save_in_place("my.scene.json", scene_with("second"));
  ASSERT_TRUE(see_body("second"));
  EXPECT_EQ(preview_->news().error, std::nullopt);
}

TEST_F(ScenePreviewTest, ReportsASceneThatJostledWouldRefuse) {
  std::string many = scene_with("first");
  many.insert(many.rfind('}'), R"(, "generators": [{ "kind": "grid", "counts": [101, 10, 10],
    "spacing": [2, 2, 2], "body": { "shape": { "sphere": { "radius": 0.5 } } } }])");
  save_in_place("my.scene.json", many);
  open("my.scene.json");
  ASSERT_TRUE(preview_->news().error);
  EXPECT_NE(preview_->news().error->find("moving bodies"), std::string::npos)
      << *preview_->news().error;
}

TEST_F(ScenePreviewTest, ShowsAFileThatIsMissingAtTheStartOnceItIsThere) {
  open("my.scene.json");
  ASSERT_TRUE(preview_->news().error);
  EXPECT_NE(preview_->news().error->find("my.scene.json"), std::string::npos);
  EXPECT_TRUE(preview_->news().is_missing);
  EXPECT_FALSE(preview_->news().has_world);
  join();
  ASSERT_TRUE(see_body("ground")) << "the empty floor";
  save_in_place("my.scene.json", scene_with("first"));
  ASSERT_TRUE(see_body("first"));
  EXPECT_EQ(preview_->news().error, std::nullopt);
  EXPECT_FALSE(preview_->news().is_missing);
  EXPECT_TRUE(preview_->news().has_world);
}

TEST_F(ScenePreviewTest, KeepsTheWorldAndReportsThatTheFileIsMissingIfItIsDeleted) {
  save_in_place("my.scene.json", scene_with("first"));
  open("my.scene.json");
  std::filesystem::remove(path("my.scene.json"));
  ASSERT_TRUE(see_loads(2));
  EXPECT_TRUE(preview_->news().error);
  EXPECT_TRUE(preview_->news().is_missing);
  EXPECT_TRUE(preview_->news().has_world);
}

}  // namespace
}  // namespace jostle::preview
