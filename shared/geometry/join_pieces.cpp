#include "shared/geometry/detail/join_pieces.h"

#include "shared/geometry/detail/hull_cover.h"
#include "shared/geometry/detail/hull_excess.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace jostle::geometry::detail {

using math::Vec3;
using math::Vec3d;

namespace {

class Joiner {
 public:
  Joiner(std::vector<Piece>& pieces, const SolidMesh& solid, Effort& effort);
  void pair_up(double room);
  void join_all(double error, std::size_t enough);
  std::size_t count() const { return count_; }
  void finish();

 private:
  struct Pair {
    std::uint32_t a = 0, b = 0;
    double cost = 0;        // volume of the merged hull minus those of the two, m³
    double refused_at = 0;  // largest error at which the merge was rejected
  };
  struct Member {
    Vec3d lower, upper;
    double volume = 0;
    bool is_alive = true;
  };

  void add_member(std::uint32_t piece);
  bool are_near(const Member& a, const Member& b, double room) const;
  void add_pair(std::uint32_t a, std::uint32_t b);
  std::vector<Vec3> joint_points(const Pair& pair) const;
  bool try_to_join(Pair& pair, double error);

  std::vector<Piece>& pieces_;
  const SolidMesh& solid_;
  Effort& effort_;
  std::vector<Member> members_;  // indexed by piece
  std::vector<Pair> pairs_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;
  double room_ = 0;
  std::size_t count_ = 0;
};

std::vector<Vec3d> widened(const std::vector<Vec3>& points) {
  std::vector<Vec3d> wide;
  wide.reserve(points.size());
  for (const Vec3 p : points)
    wide.push_back(math::widened(p));
  return wide;
}

Joiner::Joiner(std::vector<Piece>& pieces, const SolidMesh& solid, Effort& effort)
    : pieces_(pieces), solid_(solid), effort_(effort), count_(pieces.size()) {
  for (std::uint32_t i = 0; i < pieces.size(); ++i)
    add_member(i);
}

void Joiner::add_member(std::uint32_t piece) {
  const std::vector<Vec3d> points = widened(pieces_[piece].points);
  Member member{points[0], points[0], measure_hull(points).volume, true};
  for (const Vec3d p : points) {
    member.lower = min_of(member.lower, p);
    member.upper = max_of(member.upper, p);
  }
  members_.push_back(member);
}

bool Joiner::are_near(const Member& a, const Member& b, double room) const {
  const Vec3d gap = max_of(a.lower - b.upper, b.lower - a.upper);
  return std::max({gap.x, gap.y, gap.z}) <= room;
}

std::vector<Vec3> Joiner::joint_points(const Pair& pair) const {
  std::vector<Vec3> points = pieces_[pair.a].points;
  const std::vector<Vec3>& more = pieces_[pair.b].points;
  points.insert(points.end(), more.begin(), more.end());
  return points;
}

void Joiner::add_pair(std::uint32_t a, std::uint32_t b) {
  if (!known_.emplace(a, b).second) return;
  Pair pair{a, b, 0, 0};
  constexpr std::uint64_t tests_a_point = 64;  // estimated cost of merging, per point
  effort_.spend(tests_a_point * (pieces_[a].points.size() + pieces_[b].points.size()));
  pair.cost =
      measure_hull(widened(joint_points(pair))).volume - members_[a].volume - members_[b].volume;
  pairs_.push_back(pair);
}

/// Adds all pairs of pieces whose boxes are at most `room` (m) apart.
void Joiner::pair_up(double room) {
  room_ = room;
  for (std::uint32_t b = 0; b < members_.size(); ++b) {
    for (std::uint32_t a = 0; a < b && members_[b].is_alive; ++a) {
      if (members_[a].is_alive && are_near(members_[a], members_[b], room)) add_pair(a, b);
    }
  }
}

bool Joiner::try_to_join(Pair& pair, double error) {
  pair.refused_at = error;
  std::vector<Vec3> points = joint_points(pair);
  auto hull = cover(points);
  if (!hull || !is_within(*hull, solid_, error, effort_)) return false;
  members_[pair.a].is_alive = members_[pair.b].is_alive = false;
  pieces_.push_back({std::move(points), *std::move(hull)});
  return true;
}

void Joiner::join_all(double error, std::size_t enough) {
  while (count_ > enough && !effort_.is_spent()) {
    effort_.spend(pairs_.size());
    Pair* best = nullptr;
    for (Pair& pair : pairs_) {
      const bool is_open =
          pair.refused_at < error && members_[pair.a].is_alive && members_[pair.b].is_alive;
      if (is_open && (best == nullptr || pair.cost < best->cost)) best = &pair;
    }
    if (best == nullptr) return;
    if (!try_to_join(*best, error)) continue;
    --count_;
    const auto joint = static_cast<std::uint32_t>(pieces_.size() - 1);
    add_member(joint);
    for (std::uint32_t other = 0; other < joint; ++other) {
      if (members_[other].is_alive && are_near(members_[other], members_[joint], room_))
        add_pair(other, joint);
    }
  }
}

void Joiner::finish() {
  std::vector<Piece> alive;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (members_[i].is_alive) alive.push_back(std::move(pieces_[i]));
  }
  pieces_ = std::move(alive);
}

}  // namespace

void join_pieces(std::vector<Piece>& pieces, const SolidMesh& solid, std::size_t max_pieces,
                 double& error, Effort& effort) {
  Joiner joiner(pieces, solid, effort);
  joiner.pair_up(error);
  joiner.join_all(error, 1);
  // Once the error exceeds the solid's extent, every hull of the solid's points meets the error, so
  // larger errors would not help.
  while (joiner.count() > max_pieces && error < 4.0 * solid.extent() && !effort.is_spent()) {
    error *= error_growth;
    joiner.pair_up(error);
    joiner.join_all(error, max_pieces);
  }
  joiner.finish();
}

}  // namespace jostle::geometry::detail
