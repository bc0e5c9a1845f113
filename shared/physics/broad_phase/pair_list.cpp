#include "shared/physics/broad_phase/pair_list.h"

#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace jostle::physics {
namespace {

constexpr std::size_t pairs_per_piece = 512, pieces_per_batch = 64;

bool is_before(const FoundPair& a, const FoundPair& b) {
  return a.key != b.key ? a.key < b.key : a.contact < b.contact;
}

/// Number of bits of a digit in the radix sort of pairs by key. Slots in use need few bits, so most
/// digits can be skipped.
constexpr unsigned digit_bits = 8;
constexpr std::size_t digit_count = std::size_t{1} << digit_bits;

/// Sorts by the digit at bit `shift` of the keys: one pass of a stable counting sort. The passes
/// run from the lowest digit to the highest.
void sort_by_digit(std::span<const FoundPair> from, std::span<FoundPair> to, unsigned shift) {
  std::array<std::uint32_t, digit_count> place{};
  const auto digit = [shift](const FoundPair& pair) {
    return static_cast<std::size_t>(pair.key >> shift) % digit_count;
  };
  for (const FoundPair& pair : from)
    ++place[digit(pair)];
  std::uint32_t sum = 0;
  for (std::uint32_t& count : place) {
    const std::uint32_t before = sum;
    sum += count;
    count = before;
  }
  for (const FoundPair& pair : from)
    to[place[digit(pair)]++] = pair;
}

void sort_pairs(const WorldState& world, std::vector<FoundPair>& pairs,
                std::vector<FoundPair>& scratch) {
  constexpr std::size_t few = 256;
  if (pairs.size() < few) {
    std::sort(pairs.begin(), pairs.end(), is_before);
    return;
  }
  const auto slot_bits = static_cast<unsigned>(std::bit_width(world.shapes.size()));
  scratch.resize(pairs.size());
  for (const unsigned half : {0U, 32U}) {
    for (unsigned bit = 0; bit < slot_bits; bit += digit_bits) {
      sort_by_digit(pairs, scratch, half + bit);
      pairs.swap(scratch);
    }
  }
}

/// Processes a range of pairs: compacts the pairs that are kept, at the front of the range, and
/// records the near pairs and the contacts to be ended.
void sift(const WorldState& world, std::span<ListedPair> pairs, PairPiece& piece) {
  piece.near.clear();
  piece.ended.clear();
  std::uint32_t kept = 0;
  for (ListedPair pair : pairs) {
    const ShapeBounds &a = world.bounds[pair.shape_a()], &b = world.bounds[pair.shape_b()];
    const std::uint32_t flags = a.flags | b.flags;
    const bool is_over = (flags & ShapeBounds::active) == 0 || (flags & ShapeBounds::gone) != 0 ||
                         pair.contact == ListedPair::refused;
    if (is_over) continue;  // contacts of sleeping bodies stay in the lists of these bodies
    const bool has_moved = (flags & ShapeBounds::moved) != 0;
    const bool has_separated =
        has_moved && !fat_boxes_overlap(world, pair.shape_a(), pair.shape_b());
    const bool is_near = !has_separated && overlaps(a, b);
    if (pair.contact != no_index && !is_near) {
      piece.ended.push_back(pair.contact);
      pair.contact = no_index;
    }
    if (has_separated) continue;
    if (is_near) {
      piece.near.push_back({pair.key, pair.contact, kept});
      piece.near.back().has_moved = has_moved;
    } else {
      pair.axis = {};
    }
    pairs[kept++] = pair;
  }
  piece.kept = kept;
}

}  // namespace

void add_pairs(WorldState& world, std::vector<FoundPair>& found) {
  if (found.empty()) return;
  sort_pairs(world, found, world.found_scratch);
  // Merges from the back, within the list itself.
  std::vector<ListedPair>& pairs = world.pairs;
  std::size_t known = pairs.size(), place = known + found.size();
  pairs.resize(place);
  for (auto pair = found.rbegin(); pair != found.rend(); ++pair) {
    while (known > 0 && pairs[known - 1].key >= pair->key)
      pairs[--place] = pairs[--known];
    if (place == pairs.size() || pairs[place].key != pair->key) {
      pairs[--place] = {pair->key, pair->contact, {}};
    } else if (pairs[place].contact == ListedPair::refused) {
      // the filter or a joint may allow the pair to collide now
      pairs[place] = {pair->key, pair->contact, {}};
    } else if (pairs[place].contact == no_index) {
      pairs[place].contact = pair->contact;
    }
  }
  // Pairs before the first insertion have not moved. Duplicates have left a gap, which is removed.
  const auto at = [&](std::size_t i) { return pairs.begin() + static_cast<std::ptrdiff_t>(i); };
  pairs.erase(at(known), at(place));
  found.clear();
}

void forget_contact(WorldState& world, std::uint64_t key) {
  const auto pair = std::lower_bound(
      world.pairs.begin(), world.pairs.end(), key,
      [](const ListedPair& listed, std::uint64_t wanted) { return listed.key < wanted; });
  if (pair != world.pairs.end() && pair->key == key) pair->contact = no_index;
}

void list_near_pairs(WorldState& world) {
  world.awake_contacts.clear();
  world.pair_pieces.resize(pieces_per_batch);
  std::uint32_t kept = 0;
  const auto look = [&](std::uint32_t piece, Range range) {
    sift(world, std::span(world.pairs).subspan(range.first, range.last - range.first),
         world.pair_pieces[piece]);
  };
  const auto take = [&](std::uint32_t i, Range range) {
    const PairPiece& piece = world.pair_pieces[i];
    for (const std::uint32_t contact : piece.ended)
      end_contact(world, contact);
    for (ListedContact entry : piece.near) {
      entry.pair += kept;
      world.awake_contacts.push_back(entry);
    }
    const auto pairs = world.pairs.begin() + static_cast<std::ptrdiff_t>(range.first);
    if (kept != range.first) std::copy(pairs, pairs + piece.kept, world.pairs.begin() + kept);
    kept += piece.kept;
  };
  for_each_piece(*world.runtime.workers, world.pairs.size(), pairs_per_piece, pieces_per_batch,
                 look, take);
  world.pairs.resize(kept);
}

bool can_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  const std::uint32_t body_a = world.bounds[shape_a].body, body_b = world.bounds[shape_b].body;
  if (body_a == body_b || is_collision_disabled(world, body_a, body_b)) return false;
  if (!is_dynamic(world.bodies[body_a]) && !is_dynamic(world.bodies[body_b])) return false;
  return may_collide(world.shapes[shape_a].def.filter, world.shapes[shape_b].def.filter);
}

bool may_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  return can_pair(world, shape_a, shape_b) && fat_boxes_overlap(world, shape_a, shape_b);
}

}  // namespace jostle::physics
