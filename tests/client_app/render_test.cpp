#include "client/render/renderer.h"
#include "client/render/screenshot.h"
#include "client/render/window.h"
#include "tests/client_app/fake_scene.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace jostle::render {
namespace {

constexpr Size picture_size{320, 240};
// The camera is on the side of the sun. The shadow of a point at a height of 1 m is displaced by
// (−0.6, 0, −0.45).
const state::Camera camera{{2, 6, 9}, {0, 0.5, 0}};

struct Pixel {
  int red = 0, green = 0, blue = 0;
  int brightness() const { return red + green + blue; }
};

/// Tests with pictures, which share one window. They are skipped if there is neither EGL nor a
/// software renderer.
class RendererPictures : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto window = Window::create({.title = "test", .size = picture_size, .is_offscreen = true});
    if (window) {
      window_ = *std::move(window);
    } else {
      reason_ = window.error();
    }
  }
  static void TearDownTestSuite() { window_.reset(); }

  void SetUp() override {
    if (!window_) GTEST_SKIP() << reason_;
  }

  void draw(const FakeScene& scene, int shadow_size) {
    auto renderer = Renderer::create(
        window_->gl(), {.size = picture_size, .samples = 0, .shadow_size = shadow_size});
    ASSERT_TRUE(renderer) << renderer.error();
    CameraRig rig;
    rig.set({.eye = scene.origin() + (camera.eye - math::Position{}),
             .target = scene.origin() + (camera.target - math::Position{})});
    const auto bodies = scene.shown();
    Picture picture;
    picture.view = view_ = rig.view();
    picture.focus = rig.target();
    picture.bodies = bodies;
    picture.marks = marks_;
    picture.ghosts = ghosts_;
    picture.look = look_;
    if (!debug_draw_.items.empty()) picture.debug_draw = &debug_draw_;
    renderer->draw(picture, meanwhile_);
    pixels_ = renderer->read_pixels();
    EXPECT_EQ(window_->gl().GetError(), static_cast<GLenum>(GL_NO_ERROR));
  }

  Pixel at(int x, int y) const {
    const auto index = static_cast<std::size_t>((y * picture_size.width + x) * 3);
    return {pixels_[index], pixels_[index + 1], pixels_[index + 2]};
  }
  Pixel at(math::Position position) const {
    const auto point = project(view_, picture_size, position);
    return at(static_cast<int>(point->x), static_cast<int>(point->y));
  }

  static std::unique_ptr<Window> window_;
  static std::string reason_;
  View view_;
  std::vector<Mark> marks_;
  std::vector<client::ShownBody> ghosts_;
  BodyLook look_ = BodyLook::Solid;
  state::DebugDrawFrame debug_draw_;
  std::function<void()> meanwhile_ = [] {};
  std::vector<std::uint8_t> pixels_;
};
std::unique_ptr<Window> RendererPictures::window_;
std::string RendererPictures::reason_;

void add_crate(FakeScene& scene) {
  scene.add(state::box({1, 1, 1}), {0, 1, 0}, {}, state::MotionType::Dynamic, {196, 120, 50});
}

TEST_F(RendererPictures, DarkenTheGroundInTheShadowOfACrate) {
  FakeScene scene({0, 0, 0});
  add_crate(scene);
  draw(scene, 1024);
  const math::Position in_shade{-1.3, 0, 0.25}, in_light{3.3, 0, 0.25};
  EXPECT_LT(at(in_shade).brightness(), at(in_light).brightness() - 60);

  draw(scene, 0);
  EXPECT_NEAR(at(in_shade).brightness(), at(in_light).brightness(), 30);
}

// A rope is drawn as a coloured object and casts a shadow.
TEST_F(RendererPictures, ShowARopeAndItsShadow) {
  FakeScene scene({0, 0, 0});
  draw(scene, 1024);
  const math::Position middle{0, 1, 1}, in_shade{-0.6, 0, 0.55};
  const Pixel without = at(middle), lit = at(in_shade);
  marks_.push_back({{0, 0, 1}, {0, 2, 1}, {230, 40, 40}, 0.15f});
  draw(scene, 1024);
  EXPECT_GT(at(middle).red, at(middle).blue + 60);
  EXPECT_LT(without.red, without.blue + 60);
  EXPECT_LT(at(in_shade).brightness(), lit.brightness() - 40);
}

// Half of a ghost's pixels show the background. A ghost casts no shadow.
TEST_F(RendererPictures, ShowTheBackgroundThroughGhosts) {
  FakeScene empty({0, 0, 0}), scene({0, 0, 0});
  add_crate(scene);
  draw(empty, 1024);
  const std::vector<std::uint8_t> without = pixels_;
  const math::Position in_shade{-1.3, 0, 0.25}, middle{0, 2, 0};
  const Pixel lit = at(in_shade);
  const auto bodies = scene.shown();
  ghosts_.assign(bodies.begin() + 1, bodies.end());
  draw(empty, 1024);
  EXPECT_EQ(at(in_shade).brightness(), lit.brightness());
  const auto place = project(view_, picture_size, middle);
  int seen = 0, through = 0;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      const int column = static_cast<int>(place->x) + x, line = static_cast<int>(place->y) + y;
      const Pixel pixel = at(column, line);
      const auto index = static_cast<std::size_t>((line * picture_size.width + column) * 3);
      through += pixel.red == without[index] && pixel.green == without[index + 1] ? 1 : 0;
      seen += pixel.red > pixel.green + 60 ? 1 : 0;
    }
  }
  EXPECT_EQ(seen, 32);
  EXPECT_EQ(through, 32);
}

TEST_F(RendererPictures, ShowDebugDrawsThroughBodies) {
  FakeScene scene({0, 0, 0});
  add_crate(scene);
  const math::Position inside{0, 0.5, 0};
  const state::Colour colour = colour_of(state::DebugDrawKind::Contact);
  draw(scene, 1024);
  EXPECT_NE(at(inside).green, colour.green);
  debug_draw_.items.push_back({inside, inside, state::DebugDrawKind::Contact});
  draw(scene, 1024);
  EXPECT_NEAR(at(inside).red, colour.red, 1);
  EXPECT_NEAR(at(inside).green, colour.green, 1);
  EXPECT_NEAR(at(inside).blue, colour.blue, 1);
  // The renderer calls `meanwhile_` only if it must wait for OpenGL, and `meanwhile_` may then
  // replace the debug draw frame. Draw until it has been called: a picture may be finished without
  // waiting.
  meanwhile_ = [this] { debug_draw_ = {}; };
  for (int pictures = 0; pictures < 500 && !debug_draw_.items.empty(); ++pictures)
    draw(scene, 1024);
  EXPECT_TRUE(debug_draw_.items.empty());
  EXPECT_NEAR(at(inside).green, colour.green, 1);
}

// In wireframe mode, the ground behind a crate is visible between the edges of the crate's face. In
// x-ray mode, it is visible through the face.
TEST_F(RendererPictures, ShowBodiesInEachDrawMode) {
  FakeScene empty({0, 0, 0}), scene({0, 0, 0});
  add_crate(scene);
  const auto face = [&](BodyLook look) {
    look_ = look;
    draw(scene, 0);
    std::vector<Pixel> pixels;
    for (double x = -0.9; x < 0.91; x += 0.05)
      for (double z = -0.9; z < 0.91; z += 0.05)
        pixels.push_back(at({x, 2, z}));
    return pixels;
  };
  const auto solid = face(BodyLook::Solid), edges = face(BodyLook::Edges);
  const auto wire = face(BodyLook::Wireframe), x_ray = face(BodyLook::XRay);
  draw(empty, 0);
  std::size_t lines = 0, holes = 0, mixed = 0;
  std::size_t i = 0;
  for (double x = -0.9; x < 0.91; x += 0.05) {
    for (double z = -0.9; z < 0.91; z += 0.05, ++i) {
      const int ground = at({x, 2, z}).brightness();
      lines += edges[i].brightness() > solid[i].brightness() + 30 ? 1 : 0;
      holes += wire[i].brightness() == ground ? 1 : 0;
      mixed += x_ray[i].brightness() > solid[i].brightness() && x_ray[i].brightness() < ground;
    }
  }
  EXPECT_GE(lines, i / 100);  // the diagonal of the face
  EXPECT_LE(lines, i / 5);
  EXPECT_GE(holes, i / 2);
  EXPECT_LT(holes, i);
  EXPECT_GE(mixed, i * 9 / 10);
}

TEST_F(RendererPictures, ShowSeveralTonesOfWoodOnACrate) {
  FakeScene scene({0, 0, 0});
  add_crate(scene);
  draw(scene, 1024);
  std::set<int> tones;
  for (double x = -0.9; x < 0.91; x += 0.1) {
    for (double z = -0.9; z < 0.91; z += 0.1) {
      const Pixel pixel = at({x, 2, z});
      EXPECT_GT(pixel.red, pixel.blue + 20);
      tones.insert(pixel.brightness() / 12);
    }
  }
  EXPECT_GE(tones.size(), 4U);
}

TEST_F(RendererPictures, ShowTheSkyBluerAtTheZenith) {
  FakeScene scene({0, 0, 0});
  CameraRig rig;
  auto renderer =
      Renderer::create(window_->gl(), {.size = picture_size, .samples = 0, .shadow_size = 0});
  ASSERT_TRUE(renderer) << renderer.error();
  rig.set({.eye = {0, 2, 0}, .target = {-5, 4, -5}});
  Picture picture;
  picture.view = rig.view();
  renderer->draw(picture, [] {});
  pixels_ = renderer->read_pixels();
  const Pixel above = at(160, 5), below = at(160, 150);
  EXPECT_GT(above.blue, above.red + 30);
  EXPECT_GT(below.red, above.red + 30);
}

TEST_F(RendererPictures, ShowEveryShapeAtItsPosition) {
  FakeScene scene({0, 0, 0});
  scene.add(state::sphere(0.7f), {-2, 0.7f, 0}, {}, state::MotionType::Dynamic, {220, 30, 30});
  scene.add(state::capsule(0.5f, 0.6f), {2, 1.1f, 0}, {}, state::MotionType::Dynamic,
            {30, 60, 230});
  draw(scene, 512);
  const Pixel ball = at({-2, 1.15, 0.55});
  EXPECT_GT(ball.red, ball.blue + 60);
  const Pixel capsule = at({2, 1.2, 0.5});
  EXPECT_GT(capsule.blue, capsule.red + 60);
}

TEST_F(RendererPictures, AreTheSameFourThousandKilometresFromTheOrigin) {
  FakeScene near({0, 0, 0}), far({4e6, 0, -4e6});
  add_crate(near);
  add_crate(far);
  draw(near, 512);
  const std::vector<std::uint8_t> expected = pixels_;
  draw(far, 512);
  std::size_t different = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(int{expected[i]} - int{pixels_[i]}) > 24) ++different;
  }
  // The grid of shadow texels is at another offset, so the edges of shadows differ by a pixel in
  // some places.
  EXPECT_LT(different, expected.size() / 50);
}

TEST(Screenshot, IsAPngOfTheGivenSize) {
  const std::vector<std::uint8_t> pixels(std::size_t{4} * 3 * 3, 128);
  const auto png = encode_png(pixels, {4, 3});
  ASSERT_TRUE(png) << png.error();
  ASSERT_GT(png->size(), 24U);
  EXPECT_EQ(std::memcmp(png->data(), "\x89PNG\r\n\x1a\n", 8), 0);
  // last bytes of width and height in the header chunk, which is big endian
  EXPECT_EQ((*png)[19], std::byte{4});
  EXPECT_EQ((*png)[23], std::byte{3});
}

TEST(Screenshot, SurvivesAPngRoundTrip) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 4 * 3 * 3; ++i)
    pixels.push_back(static_cast<std::uint8_t>(7 * i));
  const auto png = encode_png(pixels, {4, 3});
  const auto back = decode_png(*png, 4);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->size, (Size{4, 3}));
  EXPECT_EQ(back->pixels, pixels);
  EXPECT_FALSE(decode_png(*png, 3)) << "wider than allowed";
  for (std::size_t size = 0; size + 12 < png->size(); ++size)
    EXPECT_FALSE(decode_png(std::span(*png).first(size), 4)) << size;
}

}  // namespace
}  // namespace jostle::render
