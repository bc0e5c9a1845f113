#include "shared/base/random.h"
#include "tools/snapshots/decoder.h"
#include "tools/snapshots/katamari_frames.h"
#include "tools/snapshots/measure_profiles.h"
#include "tools/snapshots/measure_snapshots.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace jostle::snapshots {
namespace {

using math::Vec3;
using protocol::QuantizedBody;

Frame random_frame(std::uint64_t seed) {
  base::Random random(seed);
  Frame frame(bodies_per_frame);
  for (QuantizedBody& body : frame) {
    for (std::int32_t& x : body.position)
      x = static_cast<std::int32_t>(random.below(20'000)) - 10'000;
    body.largest = static_cast<std::uint8_t>(random.below(4));
    for (std::uint16_t& x : body.smallest)
      x = static_cast<std::uint16_t>(random.below(protocol::rotation_max + 1));
    body.is_awake = random.chance(0.5f);
  }
  return frame;
}

scene::SceneDef katamari() {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/katamari.scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return scene::parse_scene(text, path).value();
}

/// Returns `frame` with some bodies moved, rotated by a small step, and awake.
Frame stirred(Frame frame, std::uint64_t seed) {
  base::Random random(seed);
  for (QuantizedBody& body : frame) {
    if (!random.chance(0.1f)) continue;
    body.position[random.below(3)] += static_cast<std::int32_t>(random.below(200)) - 100;
    body.smallest[random.below(3)] ^= 1U;
    body.is_awake = true;
  }
  return frame;
}

TEST(FrameSet, RoundTripsThroughItsFile) {
  FrameSet set;
  for (std::uint64_t i = 0; i < 3; ++i)
    set.frames.push_back(random_frame(i));
  const auto bytes = write_frames(set);
  EXPECT_EQ(bytes.size(), 3U * 901 * 8 * 4);
  const auto back = parse_frames(bytes);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(back->frames, set.frames);
  EXPECT_EQ(write_frames(*back), bytes);
}

std::int32_t number_at(const std::vector<std::byte>& bytes, std::size_t place) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(bytes[4 * place + i]) << (8 * i);
  return static_cast<std::int32_t>(value);
}

// The file's axes are (x, −z, y). A rotation in the file must rotate the file's axes as the frame's
// rotation rotates the engine's axes.
TEST(FrameSet, WritesRotationsInTheAxesOfTheFile) {
  FrameSet set;
  set.frames.push_back(random_frame(5));
  base::Random random(6);
  for (QuantizedBody& body : set.frames[0]) {
    const auto draw = [&] { return random.between(-1, 1); };
    const float x = draw(), y = draw(), z = draw(), w = draw();
    const QuantizedBody turned = protocol::quantize({{}, normalized(math::Quat{x, y, z, w})}, true);
    body.largest = turned.largest;
    body.smallest = turned.smallest;
  }
  const auto bytes = write_frames(set);
  const auto there = [](Vec3 v) { return Vec3{v.x, -v.z, v.y}; };
  for (std::size_t i = 0; i < bodies_per_frame; ++i) {
    QuantizedBody written;
    written.largest = static_cast<std::uint8_t>(number_at(bytes, 8 * i));
    for (std::size_t k = 0; k < 3; ++k) {
      written.smallest[k] = static_cast<std::uint16_t>(number_at(bytes, 8 * i + 1 + k));
      written.position[k] = number_at(bytes, 8 * i + 4 + k);
    }
    const math::Pose ours = protocol::dequantize(set.frames[0][i]);
    const math::Pose theirs = protocol::dequantize(written);
    EXPECT_EQ(there(ours.position - math::Position{}), theirs.position - math::Position{});
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const Vec3 expected = there(rotate(ours.rotation, axis));
      ASSERT_LT(length(rotate(theirs.rotation, there(axis)) - expected), 0.02f) << i;
    }
    EXPECT_EQ(number_at(bytes, 8 * i + 7), set.frames[0][i].is_awake ? 1 : 0);
  }
}

TEST(FrameSet, InvalidFilesAreRejectedWithTheProblemAndItsPlace) {
  EXPECT_NE(parse_frames({}).error().find("0 bytes are not a multiple of the 28832"),
            std::string::npos);
  FrameSet set;
  set.frames.push_back(random_frame(1));
  set.frames.push_back(random_frame(2));
  auto bytes = write_frames(set);
  EXPECT_FALSE(parse_frames(std::span(bytes).first(bytes.size() - 4)).has_value());
  // sets the first small component of body 7 in frame 1 to 512 or more
  bytes[(901 + 7) * 32 + 4 + 1] = std::byte{2};
  EXPECT_EQ(parse_frames(bytes).error(),
            "body 7 of frame 1 is out of range: expected components of the rotation from 0 to 511, "
            "positions within ±2147483136 steps, and awake 0 or 1");
}

class FrameCodecs : public ::testing::TestWithParam<const char*> {};

TEST_P(FrameCodecs, DecodeFramesFromTheirBaseline) {
  const scene::SceneDef scene = katamari();
  const auto codec = make_codec(GetParam(), &scene);
  ASSERT_NE(codec, nullptr);
  const std::vector<protocol::context::QuantizedInput> inputs(7, {127, 0, 2});
  const Frame before = random_frame(3), baseline = stirred(before, 20);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Frame frame = seed == 0 ? random_frame(9) : stirred(baseline, seed);
    double prediction_baseline_us = 0;
    const Reference sent{6, &baseline, 1, &before, inputs};
    const auto parts = codec->encode(frame, sent, prediction_baseline_us);
    const Reference reference{6, &baseline, 1, &before};
    const auto back = codec->decode(parts, reference, prediction_baseline_us);
    ASSERT_TRUE(back.has_value()) << back.error();
    EXPECT_EQ(*back, frame);
  }
}
INSTANTIATE_TEST_SUITE_P(All, FrameCodecs, ::testing::Values("v0", "v1", "v2", "v3"));

TEST(FrameCodecNames, UnknownNamesGiveNoCodec) {
  EXPECT_EQ(make_codec("v9", nullptr), nullptr);
  EXPECT_EQ(make_codec("", nullptr), nullptr);
  EXPECT_EQ(make_codec("v3", nullptr), nullptr) << "v3 needs a scene to simulate";
}

/// A call of serve_decoder() in a thread, with pipes for its input and output.
class Served {
 public:
  Served() {
    EXPECT_EQ(::pipe(down_), 0);
    EXPECT_EQ(::pipe(up_), 0);
    thread_ = std::thread(
        [this] { result_ = serve_decoder(down_[0], up_[1], *make_codec("v1", nullptr)); });
  }
  int finish() {
    ::close(down_[1]);
    thread_.join();
    for (const int file : {down_[0], up_[0], up_[1]})
      ::close(file);
    return result_;
  }
  void write(const std::vector<unsigned char>& bytes) const {
    EXPECT_EQ(::write(down_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

 private:
  int down_[2]{}, up_[2]{};
  int result_ = -1;
  std::thread thread_;
};

TEST(Decoder, ExitsWhenItsInputEnds) {
  Served served;
  EXPECT_EQ(served.finish(), 0);
}

TEST(Decoder, RejectsABaselineThatWasNotAcknowledged) {
  Served served;
  // A block of 17 bytes asks to decode with frame 4 as the baseline, age 6, no previous frame and
  // no parts.
  served.write({17, 0, 0, 0, 1, 4, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(served.finish(), 1);
}

TEST(Decoder, ReportsAMissingProgram) {
  FrameSet set;
  set.frames = {random_frame(1), random_frame(2)};
  SnapshotOptions options;
  options.age = 1;
  options.program = "/nowhere/jostle";
  const auto figures = measure_snapshots(set, nullptr, options);
  ASSERT_FALSE(figures.has_value());
  EXPECT_NE(figures.error().find("'/nowhere/jostle' could not be started"), std::string::npos);
  options.age = 2;
  EXPECT_EQ(measure_snapshots(set, nullptr, options).error(),
            "--age 2 needs at least 3 frames, but the set has only 2");
}

TEST(KatamariFrames, DependOnSeedAndActivity) {
  const scene::SceneDef scene = katamari();
  std::size_t changed_before = 0;
  for (const Activity activity : {Activity::Low, Activity::Mid, Activity::High}) {
    const auto set = play(scene, 1, activity, 400);
    ASSERT_TRUE(set.has_value()) << set.error();
    ASSERT_EQ(set->frames.size(), 400U);
    EXPECT_EQ(play(scene, 1, activity, 100)->frames.back(), set->frames[99]);
    EXPECT_NE(play(scene, 2, activity, 400)->frames.back(), set->frames.back());
    // The sum of several seeds, because the cubes that a player meets depend on the seed.
    std::size_t changed = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const auto frames = play(scene, seed, activity, 400)->frames;
      for (std::size_t i = 200; i < 400; ++i)
        changed += count_changed(frames[i], frames[i - 6]);
    }
    EXPECT_GT(changed, changed_before) << "higher activity must move more bodies";
    changed_before = changed;
  }
}

/// Returns the total payload size of every fifth frame from `first` on. Each frame is encoded
/// against the one that is 6 frames older.
std::size_t bytes_of(const FrameCodec& codec, const FrameSet& set, std::size_t first) {
  std::size_t bytes = 0;
  for (std::size_t i = first; i < set.frames.size(); i += 5) {
    const Reference reference{6, &set.frames[i - 6], 1, &set.frames[i - 7],
                              std::span(set.inputs).subspan(i - 6, 7)};
    double prediction_baseline_us = 0;
    for (const Part& part : codec.encode(set.frames[i], reference, prediction_baseline_us))
      bytes += part.payload.size();
  }
  return bytes;
}

TEST(FrameCodecs, V3IsSmallerThanV2ForFramesOfTheEngine) {
  const scene::SceneDef scene = katamari();
  for (const Activity activity : {Activity::Low, Activity::Mid, Activity::High}) {
    const auto set = play(scene, 11, activity, 400);
    const std::size_t v2 = bytes_of(*make_codec("v2", nullptr), *set, 100);
    const std::size_t v3 = bytes_of(*make_codec("v3", &scene), *set, 100);
    EXPECT_LT(100 * v3, 87 * v2) << v3 << " against " << v2;
  }
}

TEST(FrameCodecs, V3RequiresTheInputsOfFrames) {
  const scene::SceneDef scene = katamari();
  FrameSet set;
  set.frames = {random_frame(1), random_frame(2)};
  SnapshotOptions options;
  options.codec = "v3";
  options.age = 1;
  EXPECT_EQ(measure_snapshots(set, &scene, options).error(),
            "codec 'v3' needs the player's input of each frame, which files do not contain");
}

TEST(Profiles, AreMuchSmallerThanWholeBodies) {
  const auto set = play_with_states(katamari(), 12, Activity::Mid, 160);
  for (const Profile profile : {Profile::Fine, Profile::Lossless}) {
    const auto figures = measure_profile(*set, profile, 6);
    ASSERT_TRUE(figures.has_value()) << figures.error();
    EXPECT_EQ(figures->frames, 154U);
    EXPECT_LT(10 * figures->bytes, figures->raw_bytes);
  }
  const auto without = play(katamari(), 12, Activity::Mid, 10);
  EXPECT_EQ(measure_profile(*without, Profile::Fine, 6).error(),
            "--age 6 needs at least 7 frames with states, but the set has only 0");
}

TEST(KatamariFrames, RejectScenesWithAnotherNumberOfBodies) {
  scene::SceneDef scene = katamari();
  scene.bodies.resize(scene.bodies.size() - 1);
  const auto set = play(scene, 1, Activity::Low, 10);
  ASSERT_FALSE(set.has_value());
  EXPECT_EQ(set.error(),
            "scene 'katamari' has 900 moving bodies with one player, but frames need 901");
}

}  // namespace
}  // namespace jostle::snapshots
