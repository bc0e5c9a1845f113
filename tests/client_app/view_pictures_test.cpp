#include "client/render/debug_draw_mesh.h"
#include "client/render/screenshot.h"
#include "tests/client_app/studio.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace jostle::client_app {
namespace {

const state::Camera near{{2, 3.2, 2.9}, {0, 0.5, 0}};

/// Tests with pictures of views, which share one window.
class ViewPictures : public StudioTest<320, 180> {
 protected:
  static Pixels draw(const render::Picture& picture) { return studio_->draw(picture); }
};

struct ShapeView {
  const char* name;
  const char* body;
};

class ShapePictures : public ViewPictures, public testing::WithParamInterface<ShapeView> {};

TEST_P(ShapePictures, ShowEachKindOfShape) {
  const Stage with(GetParam().body), without("");
  expect_golden(std::string("shape-") + GetParam().name, draw(picture_of(with, near)),
                {{"the shape", draw(picture_of(without, near))}});
}

constexpr ShapeView shape_views[] = {
    {"box", R"({ "position": [0, 0.7, 0], "rotation_degrees": [0, 20, 0], "colour": "wood",
                 "shape": { "box": { "size": [1.8, 1.4, 1.4] } } })"},
    {"sphere", R"({ "position": [0, 0.9, 0], "rotation_degrees": [20, 0, 30], "colour": "red",
                    "shape": { "sphere": { "radius": 0.9 } } })"},
    {"capsule", R"({ "position": [0, 0.8, 0], "rotation_degrees": [0, 0, 60], "colour": "blue",
                     "shape": { "capsule": { "radius": 0.5, "height": 2.2 } } })"},
    {"cylinder", R"({ "position": [0, 0.7, 0], "rotation_degrees": [0, 0, 15], "colour": "teal",
                      "shape": { "cylinder": { "radius": 0.7, "height": 1.4 } } })"},
    {"cone", R"({ "position": [0, 0.8, 0], "colour": "amber",
                  "shape": { "cone": { "radius": 0.9, "height": 1.6 } } })"},
    {"hull", R"({ "position": [0, 0.8, 0], "colour": "purple", "shape": { "hull": { "points":
        [-0.9, -0.8, -0.6, 0.9, -0.8, -0.6, 0.9, -0.8, 0.6, -0.9, -0.8, 0.6, -0.5, 0.3, 0, 0.6, 0.8, 0.2] } } })"},
    {"mesh",
     R"({ "motion_type": "static", "position": [0, 0, 0], "colour": "slate", "shape": { "mesh": {
        "vertices": [-1.2, 0, -1, 1.2, 0, -1, 1.2, 0, 1, -1.2, 0, 1, -1.2, 1.4, -1, 1.2, 1.4, -1],
        "triangles": [4, 3, 2, 4, 2, 5, 0, 3, 4, 1, 5, 2, 0, 4, 5, 0, 5, 1, 0, 1, 2, 0, 2, 3] } } })"},
    {"height-field", R"({ "motion_type": "static", "position": [-1.6, 0.1, -2], "colour": "green",
        "shape": { "height_field": { "sample_counts": [4, 4], "cell_size": [1, 1], "heights":
        [0, 0, 0, 0, 0, 0.9, 0.5, 0, 0, 0.4, 1.2, 0, 0, 0, 0, 0] } } })"},
    {"compound",
     R"({ "position": [0, 0.9, 0], "rotation_degrees": [0, 30, 20], "colour": "orange", "shapes": [
        { "box": { "size": [2, 0.3, 0.3] } },
        { "sphere": { "radius": 0.45 }, "position": [1, 0, 0] },
        { "cylinder": { "radius": 0.4, "height": 0.9 }, "position": [-0.9, 0, 0] } ] })"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, ShapePictures, testing::ValuesIn(shape_views),
                         [](const auto& each) {
                           std::string name = each.param.name;
                           std::erase(name, '-');
                           return name;
                         });

constexpr const char* three_things = R"(
  { "position": [-1.2, 0.5, 0], "rotation_degrees": [0, 20, 0], "colour": "wood",
    "shape": { "box": { "size": [1, 1, 1] } } },
  { "position": [0.2, 0.5, 0.4], "colour": "red", "shape": { "sphere": { "radius": 0.5 } } },
  { "position": [1.4, 0.6, -0.3], "colour": "teal",
    "shape": { "cylinder": { "radius": 0.4, "height": 1.2 } } })";

TEST_F(ViewPictures, ShowShadows) {
  const Stage stage(three_things);
  const render::Picture picture = picture_of(stage, near);
  expect_golden("shadows", draw(picture),
                {{"shadows", studio_->draw(picture, Light{.shadow_size = 0})}});
}

// Light from the sky makes surfaces that face upwards brighter and bluer than others.
TEST_F(ViewPictures, ShowAmbientLightFromTheSky) {
  const Stage stage(three_things);
  const render::Picture picture = picture_of(stage, {{1.9, 2.2, 2.9}, {0, 0.5, 0}});
  expect_golden("sky-light", draw(picture),
                {{"the sky's light", studio_->draw(picture, Light{.is_from_sky = false})}});
}

TEST_F(ViewPictures, ShowBodiesInFourDrawModes) {
  const Stage stage(three_things);
  render::Picture picture = picture_of(stage, near);
  const Pixels solid = draw(picture);
  for (const auto look :
       {render::BodyLook::Edges, render::BodyLook::Wireframe, render::BodyLook::XRay}) {
    picture.look = look;
    std::string name = std::string("look-") + render::name_of(look);
    for (char& c : name)
      c = c == ' ' || c == ',' ? '-' : c;
    expect_golden(name, draw(picture), {{"the look", solid}}, most_share_of_edges);
  }
}

/// Returns the body list of a scene: a grid of bodies of four kinds, each a few pixels large on the
/// screen. The kind `left_out` is missing.
std::string specks_without(std::optional<int> left_out) {
  const std::array<std::string, 4> shapes{
      R"("shape": { "box": { "size": [1, 1, 1] } }, "colour": "wood")",
      R"("shape": { "sphere": { "radius": 0.5 } }, "colour": "red")",
      R"("shape": { "capsule": { "radius": 0.4, "height": 1.2 } }, "colour": "blue")",
      R"("shape": { "cylinder": { "radius": 0.5, "height": 1 } }, "colour": "teal")"};
  std::string bodies;
  for (int i = 0; i < 400; ++i) {
    const int kind = (i + i / 20) % 4;
    if (kind == left_out) continue;
    const std::string place =
        std::to_string(2 * (i % 20) - 19) + ", 0.5, " + std::to_string(2 * (i / 20) - 19);
    bodies += (bodies.empty() ? "" : ",\n") + std::string(R"({ "position": [)") + place + "], " +
              shapes[static_cast<std::size_t>(kind)] + " }";
  }
  return bodies;
}

TEST_F(ViewPictures, ShowDistantBodiesByColourAndShadow) {
  const auto draw_without = [&](std::optional<int> kind, const Light& light) {
    const Stage stage(specks_without(kind));
    return studio_->draw(picture_of(stage, {{0, 42, 46}, {0, 0, 3}}), light);
  };
  std::vector<Without> lacking{{"shadows", draw_without(std::nullopt, {.shadow_size = 0})}};
  for (int kind = 0; kind < 4; ++kind)
    lacking.push_back({"kind " + std::to_string(kind), draw_without(kind, {})});
  expect_golden("specks", draw_without(std::nullopt, {}), lacking);
}

constexpr std::uint8_t kinds_in_a_row = 5;

/// Returns a debug draw frame that shows the kinds of debug draw with the numbers 5·`row` to
/// 5·`row` + 4. Each kind has eight lines or boxes side by side. The kind `left_out` is missing.
state::DebugDrawFrame debug_draw_row(std::uint8_t row, std::optional<std::uint8_t> left_out) {
  state::DebugDrawFrame debug_draw;
  for (std::uint8_t column = 0; column < kinds_in_a_row; ++column) {
    const auto kind = static_cast<std::uint8_t>(row * kinds_in_a_row + column);
    if (kind == left_out) continue;
    for (int i = 0; i < 8; ++i) {
      const math::Position from{(column - 2) * 1.2 + 0.14 * i - 0.5, 0.1, 0};
      debug_draw.items.push_back(
          {from, from + math::Vec3{0.1f, 1.6f, 0.9f}, static_cast<state::DebugDrawKind>(kind)});
    }
  }
  return debug_draw;
}

TEST_F(ViewPictures, ShowEachKindOfDebugDraw) {
  static_assert(state::debug_draw_kind_count % kinds_in_a_row == 0);
  const Stage stage("");
  render::Picture picture = picture_of(stage, {{0.2, 2.9, 3.4}, {0, 0.6, 0}});
  for (std::uint8_t row = 0; row < state::debug_draw_kind_count / kinds_in_a_row; ++row) {
    const auto draw_without = [&](std::optional<std::uint8_t> kind) {
      const state::DebugDrawFrame debug_draw = debug_draw_row(row, kind);
      picture.debug_draw = &debug_draw;
      return draw(picture);
    };
    std::vector<Without> lacking;
    for (std::uint8_t column = 0; column < kinds_in_a_row; ++column) {
      const auto kind = static_cast<std::uint8_t>(row * kinds_in_a_row + column);
      lacking.push_back({"overlay kind " + std::to_string(kind), draw_without(kind)});
    }
    expect_golden("overlay-" + std::to_string(row), draw_without(std::nullopt), lacking,
                  most_share_of_lines);
  }
}

TEST_F(ViewPictures, ShowDebugDrawPointsOnTopOfBodies) {
  const Stage stage(three_things);
  render::Picture picture = picture_of(stage, near);
  state::DebugDrawFrame debug_draw;
  for (const auto kind : {state::DebugDrawKind::Contact, state::DebugDrawKind::Centre}) {
    for (int i = 0; i < 12; ++i) {
      const math::Position at{-1.5 + 0.27 * i, kind == state::DebugDrawKind::Centre ? 0.6 : 0.2,
                              0.2};
      debug_draw.items.push_back({at, at, kind});
    }
  }
  const Pixels without = draw(picture);
  picture.debug_draw = &debug_draw;
  expect_golden("overlay-points", draw(picture), {{"the points", without}}, most_share_of_lines);
}

TEST_F(ViewPictures, ShowGhostsBesideTheirBodies) {
  const Stage stage(three_things);
  render::Picture picture = picture_of(stage, near);
  const Pixels without = draw(picture);
  std::vector<client::ShownBody> ghosts(picture.bodies.begin() + 1, picture.bodies.end());
  for (client::ShownBody& ghost : ghosts)
    ghost.pose.position = ghost.pose.position + math::Vec3{0.1f, 0.35f, 0.5f};
  picture.ghosts = ghosts;
  expect_golden("ghosts", draw(picture), {{"ghosts", without}});
}

TEST_F(ViewPictures, HighlightHoveredGrabbedAndSelectedBodies) {
  const Stage stage(three_things);
  render::Picture picture = picture_of(stage, near);
  picture.hovered = picture.bodies[1].info->id;
  picture.grabbed = picture.bodies[2].info->id;
  picture.selected = picture.bodies[3].info->id;
  std::vector<Without> lacking;
  for (state::BodyId render::Picture::*mark :
       {&render::Picture::hovered, &render::Picture::grabbed, &render::Picture::selected}) {
    render::Picture other = picture;
    other.*mark = {};
    lacking.push_back({"glow " + std::to_string(lacking.size()), draw(other)});
  }
  expect_golden("glow", draw(picture), lacking);
}

TEST_F(ViewPictures, ShowSleepingBodiesPaler) {
  Stage stage(three_things);
  render::Picture picture = picture_of(stage, near);
  const Pixels awake = draw(picture);
  std::vector<client::ShownBody> asleep(picture.bodies.begin(), picture.bodies.end());
  for (client::ShownBody& body : asleep)
    body.is_awake = false;
  picture.bodies = asleep;
  render::Picture unmarked = picture;
  unmarked.is_sleep_shown = false;
  expect_golden("asleep", draw(picture), {{"sleep", awake}, {"its mark", draw(unmarked)}});
}

TEST_F(ViewPictures, ShowRopesMarksAndParticles) {
  const Stage stage("");
  const render::Picture empty = picture_of(stage, near);
  const std::vector<render::Mark> rope{{{-1.2, 0, 0.5}, {-0.6, 1.6, 0}, {230, 40, 40}, 0.08f}};
  const std::vector<render::Mark> drag{{{-0.4, 0.1, 0}, {0.4, 1.5, 0}},
                                       {{-0.2, 0.1, 0}, {0.6, 1.5, 0}},
                                       {{0, 0.1, 0}, {0.8, 1.5, 0}}};
  std::vector<render::Mark> both = rope;
  both.insert(both.end(), drag.begin(), drag.end());
  std::vector<client::ShownParticle> particles;
  for (int i = 0; i < 40; ++i)
    particles.push_back(
        {{0.9 + 0.13 * (i % 8), 0.1 + 0.2 * (i / 8), 0.05 * (i % 3)}, 0.06f, {60, 140, 230}});
  const auto drawn = [&](std::span<const render::Mark> marks,
                         std::span<const client::ShownParticle> shown) {
    render::Picture picture = empty;
    picture.marks = marks;
    picture.particles = shown;
    return draw(picture);
  };
  expect_golden("marks", drawn(both, particles),
                {{"the rope", drawn(drag, particles)},
                 {"marks of the grabbed body", drawn(rope, particles)},
                 {"particles", drawn(both, {})}});
}

TEST_F(ViewPictures, HighlightPlayers) {
  const Stage stage("", {"Ann", "Bob"});
  const state::Camera camera{{0.6, 1.8, 4.6}, {0, 0.5, 1}};
  render::Picture picture = picture_of(stage, camera);
  const Pixels nobodys = draw(picture);
  picture.own = {1};
  std::vector<state::BodyInfo> infos;
  for (const client::ShownBody& body : picture.bodies)
    infos.push_back(*body.info);
  std::vector<client::ShownBody> strangers(picture.bodies.begin(), picture.bodies.end());
  for (std::size_t i = 0; i < infos.size(); ++i) {
    infos[i].owner = {};
    strangers[i].info = &infos[i];
  }
  render::Picture other = picture;
  other.bodies = strangers;
  expect_golden("players", draw(picture), {{"players' rims", draw(other)}, {"one's own", nobodys}});
}

// Checks the comparison of pictures. If it accepted every picture, all tests above would pass.
TEST(PictureComparison, DetectsASmallSquareButNotASlightlyBrighterPicture) {
  const Pixels grey{{320, 180}, std::vector<std::uint8_t>(std::size_t{320} * 180 * 3, 100)};
  Pixels brighter = grey, square = grey;
  for (std::uint8_t& byte : brighter.bytes)
    byte = 101;
  for (std::size_t y = 40; y < 60; ++y)
    for (std::size_t x = 60; x < 80; ++x)
      square.bytes[(y * 320 + x) * 3] = 130;
  EXPECT_TRUE(is_alike(difference_of(grey, grey), most_share));
  EXPECT_TRUE(is_alike(difference_of(grey, brighter), most_share));
  EXPECT_FALSE(is_alike(difference_of(grey, square), most_share));
}

}  // namespace
}  // namespace jostle::client_app
