#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr int query_count = 300;  // more than a few chunks, and no multiple of the chunk length

struct Questions {
  std::vector<Ray> rays;
  std::vector<ShapeCast> casts;
  std::vector<QueryShape> shapes;
  std::vector<math::Aabb> boxes;
};

Questions random_questions() {
  base::Random random(21);
  Questions questions;
  for (int i = 0; i < query_count; ++i) {
    const Position from{random.between(-4, 4), 6, random.between(-4, 4)};
    const Vec3 way{random.between(-3, 3), -10, random.between(-3, 3)};
    questions.rays.push_back({from, way});
    const state::Shape shape = random_shape(random);
    questions.casts.push_back({{shape, {from, random_rotation(random)}}, way});
    const Position at{random.between(-4, 4), random.between(0, 2), random.between(-4, 4)};
    questions.shapes.push_back({shape, {at, random_rotation(random)}});
    questions.boxes.push_back({at - Vec3{1, 1, 1}, at + Vec3{1, 1, 1}});
  }
  return questions;
}

/// Bits of all results, so that the comparison is exact.
struct AnswerBits {
  std::vector<std::uint64_t> words;

  void add(double x) {
    std::uint64_t word = 0;
    static_assert(sizeof(word) == sizeof(x));
    std::memcpy(&word, &x, sizeof(x));
    words.push_back(word);
  }
  void add(float x) { add(static_cast<double>(x)); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Position& p) { add(p.x), add(p.y), add(p.z); }
  void add(ShapeHandle shape) { words.push_back(shape.index); }
  void add(const CastHit& hit) {
    add(hit.shape), add(hit.fraction), add(hit.point), add(hit.normal);
  }
  void add(const ClosestHit& hit) {
    add(hit.shape), add(hit.distance), add(hit.point_on_query), add(hit.point_on_shape),
        add(hit.normal);
  }
  template <typename Hit>
  void add(const std::optional<Hit>& hit) {
    words.push_back(hit.has_value() ? 1 : 0);
    if (hit) add(*hit);
  }
  void add(const std::vector<ShapeHandle>& shapes) {
    words.push_back(shapes.size());
    for (const ShapeHandle shape : shapes)
      add(shape);
  }
  template <typename Answers>
  void add_all(const Answers& answers) {
    for (const auto& answer : answers)
      add(answer);
  }
};

constexpr float reach = 0.5f;  // m

std::vector<std::uint64_t> answers_one_by_one(const World& world, const Questions& questions) {
  AnswerBits bits;
  for (const Ray& ray : questions.rays)
    bits.add(world.cast_ray(ray, {}));
  for (const ShapeCast& cast : questions.casts)
    bits.add(world.cast_shape(cast, {}));
  for (const QueryShape& shape : questions.shapes)
    bits.add(world.closest(shape, reach, {}));
  for (const math::Aabb& box : questions.boxes)
    bits.add(world.overlap_aabb(box, {}));
  for (const QueryShape& shape : questions.shapes)
    bits.add(world.overlap_shape(shape, {}));
  return bits.words;
}

std::vector<std::uint64_t> answers_in_batches(const World& world, const Questions& questions) {
  AnswerBits bits;
  bits.add_all(world.cast_rays(questions.rays, {}));
  bits.add_all(world.cast_shapes(questions.casts, {}));
  bits.add_all(world.closest_of_each(questions.shapes, reach, {}));
  bits.add_all(world.overlap_aabbs(questions.boxes, {}));
  bits.add_all(world.overlap_shapes(questions.shapes, {}));
  return bits.words;
}

void fill(World& world) {
  add_ground(world);
  add_mixed_rain(world, 100, 3);
  run(world, 60);
}

std::atomic<std::uint32_t> threads_seen{0};
void note_thread(int thread, std::uint32_t) {
  threads_seen |= 1U << thread;
  std::this_thread::yield();
}

TEST(QueryBatches, MatchSingleQueriesForAllThreadCounts) {
  World world{WorldOptions{}};
  fill(world);
  const Questions questions = random_questions();
  const std::vector<std::uint64_t> expected = answers_one_by_one(world, questions);
  const StateHash before = world.hash();
  threads_seen = 0;
  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(threads);
    world.set_execution({threads, world.execution().simd});
    world.set_schedule_disturbance(note_thread);
    EXPECT_EQ(answers_in_batches(world, questions), expected);
  }
  EXPECT_NE(threads_seen & ~1U, 0U) << "only the caller's thread took part";
  EXPECT_EQ(world.hash(), before);
  world.step();  // the thread pool is free again
}

TEST(QueryBatches, ResultsAreSortedAndInTheOrderOfTheQueries) {
  World world{WorldOptions{}};
  world.set_execution({3, world.execution().simd});
  std::vector<QueryShape> queries;
  std::vector<math::Aabb> boxes;
  for (int i = 0; i < 40; ++i) {
    const Position at{10.0 * i, 0, 0};
    for (int k = 0; k <= i % 3; ++k)
      add_body(world, MotionType::Static, {at, {}}, shape_def(state::sphere(0.5f)));
    queries.push_back({state::sphere(0.1f), {at, {}}});
    boxes.push_back({at - Vec3{1, 1, 1}, at + Vec3{1, 1, 1}});
  }
  const auto in_boxes = world.overlap_aabbs(boxes, {});
  const auto in_shapes = world.overlap_shapes(queries, {});
  const auto nearest = world.closest_of_each(queries, 1, {});
  ASSERT_EQ(in_boxes.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(in_boxes[i].size(), i % 3 + 1);
    EXPECT_TRUE(std::is_sorted(in_boxes[i].begin(), in_boxes[i].end()));
    EXPECT_EQ(in_shapes[i], in_boxes[i]);
    ASSERT_TRUE(nearest[i].has_value());
    EXPECT_EQ(nearest[i]->shape, in_boxes[i].front());
  }
  EXPECT_TRUE(world.overlap_aabbs({}, {}).empty());
  EXPECT_EQ(world.overlap_shapes(std::span(queries).first(1), {})[0], in_shapes[0]);
}

}  // namespace
}  // namespace jostle::physics
