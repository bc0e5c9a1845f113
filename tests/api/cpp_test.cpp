#include "tests/api/server_support.h"

#include <jostle/client.hpp>
#include <jostle/server.hpp>

#include <stdexcept>

namespace jostle::api_test {
namespace {

constexpr char cpp_scene[] = R"({"name": "cpp", "spawns": [{"position": [0, 1, 4]}], "bodies": [
  {"name": "ball", "position": [0, 3, 0], "shapes": [{"sphere": {"radius": 0.3}}]}]})";

jostle_server_def def_of(const jostle::Scene& scene) {
  jostle_server_def def = jostle::server_def();
  def.scene = scene.handle();
  def.port = 0;
  return def;
}

/// Remembers the ticks that are multiples of ten, in a container, and a number that begins with 7.
struct Tens {
  std::vector<std::uint32_t> ticks;
  std::uint32_t number = 7;

  void after_step(jostle::Game game) {
    if (game.tick() % 10 != 0) return;
    ticks.push_back(game.tick());
    game.show(jostle::value("tens", static_cast<float>(ticks.size() + number)));
    game.show(jostle::text("word", "ten"));
  }
  void save(std::vector<std::byte>& out) const {
    out.resize(4 + 4 * ticks.size());
    std::memcpy(out.data(), &number, 4);
    if (!ticks.empty()) std::memcpy(out.data() + 4, ticks.data(), 4 * ticks.size());
  }
  bool load(std::span<const std::byte> bytes) {
    if (bytes.size() % 4 != 0 || bytes.empty()) return false;
    std::memcpy(&number, bytes.data(), 4);
    ticks.resize(bytes.size() / 4 - 1);
    if (!ticks.empty()) std::memcpy(ticks.data(), bytes.data() + 4, 4 * ticks.size());
    return true;
  }
};

TEST(Cpp, RuleWithAContainerIsSavedReplayedAndShown) {
  const Folder folder;
  const std::string path = folder.file("run.jrec");
  const jostle::Scene scene(cpp_scene);
  jostle_server_def def = def_of(scene);
  def.recording_file = path.c_str();
  def.sync_test_ticks = 3;
  {
    jostle::Server server(def, {jostle::rule<Tens>("tens")});
    server.step(35);
    EXPECT_EQ(0U, server.info().sync_mismatch);
    const std::vector<jostle_value> values = server.game().values();
    ASSERT_EQ(2U, values.size());
    EXPECT_EQ(10, values[0].number);
    EXPECT_STREQ("ten", values[1].text);
  }
  EXPECT_EQ(1, jostle::verify(path, {jostle::rule<Tens>("tens")}).is_same);
  jostle::Recording recording(path, {jostle::rule<Tens>("tens")});
  recording.seek(20);
  EXPECT_EQ(9, recording.game().values()[0].number);
  EXPECT_EQ(0U, recording.info().differing_ticks);
}

struct Defaults {
  std::int32_t number = 5;
  void before_step(jostle::Game game) {
    game.show(jostle::value("n", static_cast<float>(++number)));
  }
};

TEST(Cpp, RuleOfPlainDataKeepsItsInitialValues) {
  const jostle::Scene scene(cpp_scene);
  jostle::Server server(def_of(scene), {jostle::rule<Defaults>("defaults")});
  server.step(2);
  EXPECT_EQ(7, server.game().values()[0].number);
}

struct Fails {
  std::int32_t calls = 0;
  void after_step(jostle::Game game) {
    ++calls;
    if (game.tick() == 3) throw std::runtime_error("tick 3");
  }
};

TEST(Cpp, ExceptionOfARuleIsThrownByTheCallThatRunsIt) {
  const jostle::Scene scene(cpp_scene);
  for (const bool runs : {false, true}) {
    jostle::Server server(def_of(scene), {jostle::rule<Fails>("fails")});
    try {
      runs ? server.run() : server.step(10);
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ("tick 3", error.what());
    }
  }
  // A later call does not throw it again.
  jostle::Server other(def_of(scene));
  EXPECT_NO_THROW(other.step());
}

TEST(Cpp, ErrorHasTheMessageAndTheCode) {
  const jostle::World world;
  const jostle::Body body = world.create_body(jostle::body_def(), {jostle::shapes::sphere(1)});
  body.destroy();
  EXPECT_FALSE(body.is_alive());
  try {
    body.position();
    FAIL() << "no exception";
  } catch (const jostle::Error& error) {
    EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, error.result());
    EXPECT_NE(std::string::npos, std::string(error.what()).find("jostle_body_get_pose: "));
  }
  EXPECT_THROW(jostle::value("a name that is longer than 24 bytes", 1), std::length_error);
}

TEST(Cpp, WorldIsSavedRestoredAndRead) {
  jostle::World world(jostle::Scene{cpp_scene});
  const std::vector<std::byte> state = world.save();
  const std::uint64_t hash = world.hash();
  world.step(30);
  EXPECT_NE(hash, world.hash());
  std::vector<jostle_pose> poses;
  world.read_poses(poses);
  ASSERT_EQ(1U, poses.size());
  EXPECT_EQ(world.bodies()[0].position().y, poses[0].position.y);
  world.restore(state);
  EXPECT_EQ(hash, world.hash());
  const auto hit = world.cast_ray({0, 10, 0}, {0, -20, 0});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(3.3, hit->point.y, 1e-6);
  EXPECT_FALSE(world.cast_ray({5, 10, 0}, {0, -20, 0}).has_value());
  const jostle::World moved(std::move(world));
  EXPECT_EQ(hash, moved.hash());
}

TEST(Cpp, ClientReadsPosesAndValues) {
  const jostle::Scene scene(cpp_scene);
  jostle::Server server(def_of(scene), {jostle::rule<Tens>("tens")});
  jostle::Client client("127.0.0.1:" + std::to_string(server.info().port), "Ada");
  for (int i = 0; i < 10'000 && (!client.is_playing() || client.values().empty()); ++i) {
    server.poll(0.001);
    client.poll();
  }
  ASSERT_TRUE(client.is_playing());
  client.move(1, 0);
  jostle::ShownBodies bodies;
  client.read(bodies);
  EXPECT_EQ(2U, bodies.ids.size());
  EXPECT_EQ(client.pose(bodies.ids[0]).position.y, bodies.poses[0].position.y);
  EXPECT_STREQ("ball", client.body(client.find_body("ball")).name);
  EXPECT_EQ(1U, client.shapes(client.own_body()).size());
  EXPECT_STREQ("Ada", server.game().players()[0].name);
}

}  // namespace
}  // namespace jostle::api_test
