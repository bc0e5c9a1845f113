#include "shared/forces/drag.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::forces {
namespace {

using math::Vec3;

/// Returns the velocity along x after the step. Solves v̇ = a − (linear + damping)·v as an engine
/// does, where a is the acceleration of the motion plus that of the drag.
double end_velocity(const DragSum& sum, const DraggedMotion& motion) {
  const double rate = static_cast<double>(sum.linear + motion.damping);
  const double t = static_cast<double>(motion.seconds);
  const double a = static_cast<double>(motion.acceleration.x + sum.acceleration.x);
  const double v = static_cast<double>(motion.velocity.x);
  if (rate == 0) return v + a * t;
  return v * std::exp(-rate * t) - a * std::expm1(-rate * t) / rate;
}

/// Returns the velocity along x after the step. Integrates the exact drag of all terms with many
/// small steps of Heun's method.
double exact_velocity(std::span<const DragTerm> terms, const DraggedMotion& motion) {
  const auto rate_of_change = [&](double v) {
    double sum =
        static_cast<double>(motion.acceleration.x) - static_cast<double>(motion.damping) * v;
    for (const DragTerm& term : terms) {
      const double past = v - static_cast<double>(term.medium_velocity.x);
      sum -= (static_cast<double>(term.linear) +
              static_cast<double>(term.quadratic) * std::abs(past)) *
             past;
    }
    return sum;
  };
  constexpr int steps = 20'000;
  const double h = static_cast<double>(motion.seconds) / steps;
  double v = static_cast<double>(motion.velocity.x);
  for (int i = 0; i < steps; ++i) {
    const double first = rate_of_change(v);
    v += 0.5 * h * (first + rate_of_change(v + h * first));
  }
  return v;
}

TEST(Drag, LinearTermsAddUp) {
  const DragTerm terms[]{{{2, 0, -4}, 3, 0, 5}, {{1, 1, 1}, 0.5f, 0, 0.25f}};
  const DragSum sum = sum_of_drag(terms, {{9, 9, 9}, {1, 2, 3}, 0, 0.1f});
  EXPECT_FLOAT_EQ(sum.linear, 3.5f);
  EXPECT_FLOAT_EQ(sum.angular, 5.25f);
  EXPECT_EQ(sum.acceleration, (Vec3{6.5f, 0.5f, -11.5f}));
}

TEST(Drag, QuadraticDragAloneIsExact) {
  for (const float quadratic : {1e-4f, 0.01f, 1.0f, 100.0f, 1e5f}) {
    for (const float speed : {1e-3f, 1.0f, 80.0f}) {
      const DragTerm term{{}, 0, quadratic, 0};
      const DraggedMotion motion{{speed, 0, 0}, {}, 0, 1 / 60.0f};
      const double v = static_cast<double>(speed);
      const double expected = v / (1 + static_cast<double>(quadratic) * v / 60);
      EXPECT_NEAR(end_velocity(sum_of_drag({&term, 1}, motion), motion) / expected, 1, 2e-6)
          << quadratic << ' ' << speed;
    }
  }
}

TEST(Drag, LinearPlusQuadraticDragOfOneTermIsExact) {
  for (const float linear : {0.01f, 2.0f, 200.0f}) {
    for (const float quadratic : {0.01f, 1.0f, 1e4f}) {
      const DragTerm term{{}, linear, quadratic, 0};
      const DraggedMotion motion{{7, 0, 0}, {}, 0, 1 / 60.0f};
      const double c = static_cast<double>(linear), k = static_cast<double>(quadratic);
      const double left = std::exp(-c / 60);
      const double expected = 7 * left / (1 + k * 7 * (1 - left) / c);
      EXPECT_NEAR(end_velocity(sum_of_drag({&term, 1}, motion), motion) / expected, 1, 3e-6)
          << linear << ' ' << quadratic;
    }
  }
}

TEST(Drag, KeepsTheTerminalVelocity) {
  for (const float quadratic : {0.001f, 0.1f, 10.0f, 1e4f}) {
    for (const float linear : {0.0f, 0.5f, 50.0f}) {
      const double k = static_cast<double>(quadratic), c = static_cast<double>(linear);
      const double terminal = 2 * 9.81 / (c + std::sqrt(c * c + 4 * k * 9.81));
      const DragTerm term{{}, linear, quadratic, 0};
      const DraggedMotion motion{{static_cast<float>(terminal), 0, 0}, {9.81f, 0, 0}, 0, 1 / 60.0f};
      EXPECT_NEAR(end_velocity(sum_of_drag({&term, 1}, motion), motion) / terminal, 1, 3e-6)
          << quadratic << ' ' << linear;
    }
  }
}

TEST(Drag, ErrorOfSeveralTermsIsOfSecondOrder) {
  // A body moves upwards against gravity, in wind and with damping. The error per step is
  // proportional to the cube of the step length.
  const auto error = [](float seconds) {
    const DragTerm terms[]{{{3, 0, 0}, 0.4f, 0.05f, 0}, {{-2, 0, 0}, 0, 0.02f, 0}};
    const DraggedMotion motion{{15, 0, 0}, {-9.81f, 0, 0}, 0.3f, seconds};
    return std::abs(end_velocity(sum_of_drag(terms, motion), motion) -
                    exact_velocity(terms, motion));
  };
  EXPECT_LT(error(0.2f), 0.02);
  EXPECT_LT(error(0.05f), 0.16 * error(0.1f));
  EXPECT_LT(error(0.025f), 0.15 * error(0.05f));
}

TEST(Drag, QuadraticRateIsFiniteAndNotNegative) {
  base::Random random(6);
  for (int i = 0; i < 3'000; ++i) {
    const float speed = random.between(0, 100);
    const auto power = [&](float low, float high) {
      return std::pow(10.0f, random.between(low, high));
    };
    const float seconds = power(-3, 0);
    const float rate = mean_quadratic_rate(power(-6, 6), i % 3 == 0 ? 0 : power(-6, 6), speed,
                                           random.between(-1e3f, 1e3f), seconds);
    ASSERT_TRUE(std::isfinite(rate));
    ASSERT_GE(rate, 0);
  }
}

TEST(Drag, ActsOnlyUntilAForceStopsTheBody) {
  // Without a push, the mean rate is 60·ln(1 + 10/60). If a push stops the body at once, the mean
  // rate is about half of that.
  const double free = static_cast<double>(mean_quadratic_rate(1, 0, 10, 0, 1 / 60.0f));
  EXPECT_NEAR(free, 60 * std::log(1 + 10 / 60.0), 1e-4);
  for (const float push : {-600.0f, -1e4f, -1e6f}) {
    const double rate = static_cast<double>(mean_quadratic_rate(1, 0, 10, push, 1 / 60.0f));
    EXPECT_GT(rate, 0.45 * free) << push;
    EXPECT_LT(rate, 0.7 * free) << push;
  }
}

TEST(Drag, AcceleratesARestingBodyTowardsTheWindSpeed) {
  const DragTerm term{{10, 0, 0}, 0, 0.1f, 0};
  DraggedMotion motion{{}, {}, 0, 1 / 60.0f};
  for (int i = 0; i < 600; ++i) {
    const double before = static_cast<double>(motion.velocity.x);
    motion.velocity.x = static_cast<float>(end_velocity(sum_of_drag({&term, 1}, motion), motion));
    ASSERT_GE(static_cast<double>(motion.velocity.x), before);
    ASSERT_LE(motion.velocity.x, 10);
  }
  // The velocity relative to the wind is u = u₀/(1 + k·u₀·t).
  EXPECT_NEAR(static_cast<double>(motion.velocity.x), 10 - 10.0 / (1 + 0.1 * 10 * 10), 1e-4);
}

TEST(Drag, IsZeroWithoutTerms) {
  const DragSum sum = sum_of_drag({}, {{1, 2, 3}, {4, 5, 6}, 0.5f, 0.01f});
  EXPECT_EQ(sum.linear, 0);
  EXPECT_EQ(sum.angular, 0);
  EXPECT_EQ(sum.acceleration, Vec3{});
}

}  // namespace
}  // namespace jostle::forces
