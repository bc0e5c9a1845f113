#include "shared/journal/segment_writer.h"

#include "shared/base/bytes.h"
#include "shared/base/log.h"
#include "shared/base/planted.h"
#include "shared/journal/segments.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace jostle::journal {
namespace {

constexpr std::uint64_t most_names = 100'000;  // names that create() tries
constexpr const char* new_ending = new_segment_ending;

}  // namespace

SegmentWriter::SegmentWriter(Files& files, SegmentOptions options)
    : files_(files), options_(std::move(options)), next_number_(options_.first_number) {
  for (const std::string& path : options_.earlier)
    segments_.push_back({path, files_.size(path) ? *files_.size(path) : 0});
}

WriterStatus SegmentWriter::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::string SegmentWriter::path_of(std::uint64_t number) const {
  const std::string folder = options_.folder.empty() ? "" : options_.folder + "/";
  if (!options_.stem.empty())
    return folder + options_.stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".jrec";
  char name[32];
  std::snprintf(name, sizeof name, "%08llu.jrec", static_cast<unsigned long long>(number));
  return folder + name;
}

/// Returns true if a segment gets its name only when its start is durable, so that a damaged start
/// is never the result of a power loss.
bool SegmentWriter::is_named_late() const {
  return options_.durability != Durability::None && options_.stem.empty();
}

/// Creates the file of the next segment. An existing segment is never opened.
bool SegmentWriter::create() {
  // The newest recording may have been renamed, so its name may be free again. Earlier names are
  // not used again, so that the names are in the order of time.
  std::uint64_t number = next_number_;
  if (!options_.stem.empty()) number = std::max<std::uint64_t>(number, 2) - 1;
  bool is_folder_made = false;
  for (std::uint64_t tries = 0; tries < most_names; ++tries, ++number) {
    path_ = path_of(number);
    const std::string path = path_ + (is_named_late() ? new_ending : "");
    if (is_named_late() && files_.size(path_)) continue;
    auto created = files_.create(path, false);
    const bool is_folder_missing = !created && created.error().number == ENOENT;
    if (is_folder_missing && options_.stem.empty() && !std::exchange(is_folder_made, true)) {
      (void)make_folders(files_, options_.folder);
      created = files_.create(path, false);
    }
    if (created) {
      file_ = *std::move(created);
      next_number_ = number + 1;
      return true;
    }
    if (created.error().number != EEXIST) {
      fail("cannot be created", created.error().number);
      return false;
    }
  }
  fail("cannot be created", EEXIST);
  return false;
}

/// Logs the first of several failures.
void SegmentWriter::fail(const char* what, int error) {
  const std::string why = std::string(what) + ": " + describe({error});
  // A failure to begin the first file is returned by Journal::begin().
  if (!std::exchange(has_failed_, true) && has_begun_)
    base::error("recording interrupted", {{"file", path_}, {"why", why}});
  give_up_file(why);
}

/// Ends a segment whose file a restart would not find.
void SegmentWriter::lose_file() {
  has_vanished_ = true;
  base::error(
      "recording interrupted",
      {{"file", path_}, {"why", "the file was removed or renamed"}, {"lost_ticks", ticks_}});
  update([&](WriterStatus& status) {
    status.ticks_lost += ticks_;
    status.durable_tick = 0;
  });
  segments_.pop_back();
  give_up_file("was removed or renamed");
  full_id_.store(id_);
}

void SegmentWriter::give_up_file(const std::string& why) {
  file_.reset();
  waiting_.clear();
  update([&](WriterStatus& status) {
    status.error = "'" + path_ + "' " + why;
    status.ticks_lost += std::exchange(waiting_count_, 0);
  });
  failed_id_.store(id_);
}

/// Appends a section. The sections before it are durable then, so that a power loss damages nothing
/// but the last section.
bool SegmentWriter::put(std::vector<std::byte> section) {
  if (!base::is_planted("unsynced-sections") && !sync()) return false;
  if (const int error = file_->append(section); error != 0 && !base::is_planted("ignored-error")) {
    fail("cannot be written", error);
    return false;
  }
  bytes_ += section.size();
  is_dirty_ = true;
  return true;
}

std::vector<std::byte> SegmentWriter::block_section(const Keyframe& keyframe) {
  std::vector<std::byte> block;
  std::size_t state_bytes = keyframe.state.size();
  if (keyframe.world == nullptr) {
    block = record::block_bytes(keyframe.first_tick, keyframe.state, keyframe.bodies, 0, {});
  } else {
    base::ByteWriter state;
    keyframe.world->save(state);
    state_bytes = state.size();
    block = record::block_bytes(keyframe.first_tick, state.bytes(),
                                record::body_hashes_of(*keyframe.world), 0, {});
  }
  update([&](WriterStatus& status) {
    status.largest_state = std::max(status.largest_state, state_bytes);
  });
  return record::section_of(record::SectionType::Block, block);
}

void SegmentWriter::begin(std::uint64_t id, const std::vector<std::byte>& start,
                          const Keyframe& keyframe) {
  if (file_ != nullptr) finish_index();
  id_ = id;
  bytes_ = 0;
  ticks_ = 0;
  is_dirty_ = false;
  index_.clear();
  if (!create()) return;
  std::vector<std::byte> bytes = start;
  const std::vector<std::byte> block = block_section(keyframe);
  index_.push_back({bytes.size(), keyframe.first_tick, 0});
  bytes.insert(bytes.end(), block.begin(), block.end());
  if (!put(std::move(bytes))) {
    // The file has no state, so nothing can be read from it.
    (void)files_.remove(path_ + (is_named_late() ? new_ending : ""));
    --next_number_;
    return;
  }
  if (options_.durability != Durability::None) {
    int error = base::is_planted("unsynced-segment") ? 0 : file_->sync();
    if (error == 0 && is_named_late()) error = files_.rename(path_ + new_ending, path_);
    if (error == 0) error = files_.sync_folder(options_.folder.empty() ? "." : options_.folder);
    if (error != 0) {
      (void)files_.remove(path_ + new_ending);
      return fail("cannot be synced", error);
    }
    is_dirty_ = false;
  }
  has_begun_ = true;
  segments_.push_back({path_, 0});
  apply_quota();
  const bool had_failed = std::exchange(has_failed_, false);
  if (std::exchange(has_vanished_, false) || had_failed)
    base::warn("recording continues", {{"file", path_}, {"from_tick", keyframe.first_tick}});
  last_tick_ = keyframe.first_tick - 1;
  update([&](WriterStatus& status) {
    status.path = path_;
    status.error.clear();
    status.written_tick = last_tick_;
    if (options_.durability != Durability::None) status.durable_tick = last_tick_;
    ++status.segments;
  });
}

void SegmentWriter::append(std::uint64_t id, std::uint32_t first_tick, std::uint32_t count,
                           const std::vector<std::byte>& ticks) {
  if (file_ == nullptr || id != id_)
    return update([&](WriterStatus& status) { status.ticks_lost += count; });
  if (waiting_count_ == 0) waiting_first_ = first_tick;
  waiting_count_ += count;
  waiting_.insert(waiting_.end(), ticks.begin(), ticks.end());
  if (options_.durability == Durability::None) put_waiting();
}

/// Writes the ticks that wait as one section.
void SegmentWriter::put_waiting() {
  if (waiting_count_ == 0) return;
  const std::uint32_t count = std::exchange(waiting_count_, 0);
  const std::vector<std::byte> ticks = std::exchange(waiting_, {});
  base::ByteWriter section;
  section.u32(waiting_first_);
  section.u32(count);
  section.raw(ticks);
  if (!put(record::section_of(record::SectionType::Ticks, section.bytes())))
    return update([&](WriterStatus& status) { status.ticks_lost += count; });
  index_.back().tick_count += count;
  ticks_ += count;
  last_tick_ = waiting_first_ + count - 1;
  update([&](WriterStatus& status) {
    status.written_tick = last_tick_;
    if (base::is_planted("early-durable")) status.durable_tick = last_tick_;
  });
  segments_.back().bytes = bytes_;
  const bool is_full =
      (options_.most_segment_bytes != 0 && bytes_ >= options_.most_segment_bytes) ||
      (options_.most_segment_ticks != 0 && ticks_ >= options_.most_segment_ticks);
  if (is_full) full_id_.store(id_);
}

void SegmentWriter::add_keyframe(std::uint64_t id, const Keyframe& keyframe) {
  if (file_ == nullptr || id != id_) return;
  put_waiting();
  if (file_ == nullptr) return;
  std::vector<std::byte> block = block_section(keyframe);
  const record::IndexEntry entry{bytes_, keyframe.first_tick, 0};
  if (put(std::move(block))) index_.push_back(entry);
}

void SegmentWriter::close(std::uint64_t id) {
  if (file_ == nullptr || id != id_) return;
  finish_index();
}

void SegmentWriter::finish_index() {
  put_waiting();
  if (file_ == nullptr || !put(record::index_section(index_))) return;
  segments_.back().bytes = bytes_;
  end_batch();
  file_.reset();
}

/// Makes the written ticks durable. Returns false if that fails.
bool SegmentWriter::sync() {
  if (!std::exchange(is_dirty_, false) || options_.durability == Durability::None) return true;
  // After a failed sync the pages count as clean, although they were not written: a second sync
  // of this file would succeed and prove nothing.
  if (const int error = file_->sync(); error != 0) {
    is_dirty_ = base::is_planted("repeated-sync");
    if (!is_dirty_) fail("cannot be synced", error);
    return is_dirty_;
  }
  update([&](WriterStatus& status) { status.durable_tick = last_tick_; });
  return true;
}

void SegmentWriter::end_batch() {
  if (file_ == nullptr) return;
  put_waiting();
  if (file_ == nullptr || !sync() || file_->is_named(path_)) return;
  if (options_.stem.empty()) return lose_file();
  if (options_.follows_rename) full_id_.store(id_);
}

void SegmentWriter::apply_quota() {
  if (options_.quota_bytes == 0) return;
  std::uint64_t total = 0;
  for (const Segment& segment : segments_)
    total += segment.bytes;
  while (total > options_.quota_bytes && segments_.size() > 2) {
    if (base::is_planted("quota-newest")) std::swap(segments_.front(), segments_.back());
    if (const int error = files_.remove(segments_.front().path); error != 0 && error != ENOENT)
      base::warn("old segment cannot be deleted",
                 {{"file", segments_.front().path}, {"why", describe({error})}});
    total -= segments_.front().bytes;
    segments_.pop_front();
  }
}

}  // namespace jostle::journal
