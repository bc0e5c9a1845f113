#include "shared/journal/salvage.h"

#include "shared/record/recording_reader.h"

#include <cerrno>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace jostle::journal {
namespace {

using Kind = RestoreError::Kind;

/// The treatment of a segment.
struct Plan {
  enum class Action : std::uint8_t { Keep, Cut, MoveAway, Refuse } action = Action::Keep;
  std::size_t bytes = 0;  // Cut: length of the part that stays
  RestoreError error{};   // Cut and MoveAway: the reason; Refuse: the error of the whole salvage
};

/// Returns the plan for a segment whose intact part is `start`. `why` is what follows that part.
Plan plan_for_start(const std::string& path, const record::ReadableStart& start, RestoreError why,
                    bool gives_up_ticks, const sim::RuleFactory& rules) {
  const auto restored = restore_segment(path, start, rules);
  if (restored && *restored == nullptr) return {Plan::Action::MoveAway, 0, std::move(why)};
  if (!restored && restored.error().kind == Kind::OtherResult && gives_up_ticks)
    // The ticks before the diverging one have replayed to their hashes.
    return {Plan::Action::Cut, restored.error().kept_bytes, restored.error()};
  // Damage is cut off even if only another program can continue the intact part.
  if (start.has_sections_after_fault) return {Plan::Action::Cut, start.valid_bytes, std::move(why)};
  // An incomplete end is cut off without a copy, as at each start.
  if (restored) return {Plan::Action::Keep, 0, std::move(why)};
  return {Plan::Action::Refuse, 0, restored.error()};
}

Plan plan_for(Files& files, const SegmentFile& segment, bool gives_up_ticks,
              const sim::RuleFactory& rules) {
  const std::string name = "'" + segment.path + "'";
  const auto bytes = files.read(segment.path);
  if (!bytes)
    return {Plan::Action::Refuse, 0, {name + " cannot be read: " + describe(bytes.error())}};
  const auto start = record::read_start(*bytes);
  if (!start) {
    if (start.error().is_other_format)
      return {Plan::Action::Refuse,
              0,
              {name + " cannot be read: " + start.error().message, Kind::OtherProgram}};
    return {
        Plan::Action::MoveAway, 0, {name + " is damaged " + start.error().text(), Kind::Damaged}};
  }
  RestoreError why{name + " has no complete state", Kind::Damaged};
  if (start->has_sections_after_fault) why.text = name + " is damaged " + start->fault->text();
  return plan_for_start(segment.path, *start, std::move(why), gives_up_ticks, rules);
}

/// Returns a name that no file has: `path`, or `path` with -2, -3 and so on.
std::string free_name(Files& files, const std::string& path) {
  std::string name = path;
  for (int number = 2; files.size(name); ++number)
    name = path + "-" + std::to_string(number);
  return name;
}

/// Writes a new durable file. Returns 0, or the error; then there is no file.
int write_file(Files& files, const std::string& path, std::span<const std::byte> bytes) {
  auto created = files.create(path, false);
  if (!created) return created.error().number;
  int error = (*created)->append(bytes);
  if (error == 0) error = (*created)->sync();
  if (error != 0) (void)files.remove(path);
  return error;
}

/// Gives a file a second name, or copies it if the file system has one name per file.
int keep_as(Files& files, const std::string& path, const std::string& kept) {
  const int error = files.link(path, kept);
  if (error != EPERM && error != EOPNOTSUPP && error != ENOSYS && error != EMLINK) return error;
  const auto bytes = files.read(path);
  return bytes ? write_file(files, kept, *bytes) : bytes.error().number;
}

RestoreError cannot(const std::string& path, const std::string& what, int error) {
  return {"'" + path + "' cannot be " + what + ": " + describe({error}) + "; nothing was changed"};
}

/// Replaces a segment by its first bytes. The whole segment keeps the name `kept`. Returns an error
/// with a text if that fails.
RestoreError replace_by_start(Files& files, const std::string& folder, const std::string& path,
                              const std::string& kept, std::size_t bytes) {
  const std::string part = path + ".intact";
  (void)files.remove(part);  // of a salvage that did not end
  const auto whole = files.read_front(path, bytes);
  if (!whole) return cannot(path, "read", whole.error().number);
  if (const int error = write_file(files, part, *whole); error != 0)
    return cannot(part, "written", error);
  int error = keep_as(files, path, kept);
  if (error == 0) error = files.sync_folder(folder);
  if (error != 0) {
    (void)files.remove(part);
    return cannot(kept, "written", error);
  }
  // The segment has this name before and after a power loss.
  error = files.rename(part, path);
  if (error == 0) error = files.sync_folder(folder);
  return error == 0 ? RestoreError{} : cannot(path, "replaced", error);
}

RestoreError move_away(Files& files, const std::string& folder, const std::string& path,
                       const std::string& kept) {
  int error = files.rename(path, kept);
  if (error == 0) error = files.sync_folder(folder);
  return error == 0 ? RestoreError{} : cannot(path, "renamed", error);
}

}  // namespace

base::Result<std::unique_ptr<Restored>, RestoreError> salvage(
    Files& files, const std::string& folder, bool gives_up_ticks,
    const std::function<void(const std::string&)>& tell, const sim::RuleFactory& rules) {
  const auto segments = segments_of(files, folder);
  if (!segments)
    return RestoreError{"'" + folder + "' cannot be read: " + describe(segments.error())};
  if (std::string fault = order_fault(files, *segments); !fault.empty())
    return RestoreError{std::move(fault), Kind::WrongOrder};
  for (auto segment = segments->rbegin(); segment != segments->rend(); ++segment) {
    const Plan plan = plan_for(files, *segment, gives_up_ticks, rules);
    if (plan.action == Plan::Action::Refuse) return plan.error;
    if (plan.action == Plan::Action::Keep) break;
    const std::string kept = free_name(files, segment->path + ".damaged");
    const bool is_cut = plan.action == Plan::Action::Cut;
    RestoreError error = is_cut ? replace_by_start(files, folder, segment->path, kept, plan.bytes)
                                : move_away(files, folder, segment->path, kept);
    if (!error.text.empty()) return error;
    tell("kept as " + kept + ": " + plan.error.text);
    if (is_cut) break;
  }
  return restore(files, folder, true, rules);
}

}  // namespace jostle::journal
