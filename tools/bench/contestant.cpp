#include "tools/bench/contestant.h"

#include "shared/base/assert.h"
#include "tools/check/motion.h"
#include "tools/check/quality.h"
#include "tools/workload/script.h"

#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>

namespace jostle::bench {
namespace {

constexpr std::size_t max_stages = 24;
/// Maximum number of spans that are kept per step: 8 for each of at most 64 substeps.
constexpr std::size_t max_spans = 512;
constexpr std::size_t max_text = 64;

/// The header of the memory that the child writes and the parent reads. It is followed by the time
/// of each step (float, ms), the summed times of max_stages stages (float, ms), the states of the
/// bodies, and one StepSpans per recorded step.
struct SharedResult {
  double create_ms = 0;
  double cpu_ms = 0;  // sum over all steps
  std::array<char, max_text> simd{};
  StepCounts counts;
  double joint_gap_max = 0;
  check::MotionFigures motion;
  std::uint64_t hash = 0, peak_bytes = 0, scene_bytes = 0;
  std::size_t steps_done = 0;
  std::size_t stage_count = 0;
  std::array<std::array<char, max_text>, max_stages> stage_names{};
  std::array<char, 4 * max_text> refusal{};
};

struct StepSpans {
  std::size_t count = 0;
  std::array<StageSpan, max_spans> spans;
};

struct Layout {
  std::size_t steps = 0, span_rows = 0, bodies = 0;

  std::size_t times_at() const { return (sizeof(SharedResult) + 63) / 64 * 64; }
  std::size_t stages_at() const { return times_at() + steps * sizeof(float); }
  std::size_t states_at() const { return stages_at() + max_stages * sizeof(float); }
  std::size_t spans_at() const {
    return (states_at() + bodies * sizeof(workload::BodyState) + 63) / 64 * 64;
  }
  std::size_t bytes() const { return spans_at() + span_rows * sizeof(StepSpans); }
};

template <std::size_t N>
void copy_text(std::array<char, N>& to, std::string_view from) {
  const std::size_t count = std::min(from.size(), N - 1);
  std::copy_n(from.begin(), count, to.begin());
  to[count] = '\0';
}

/// Returns the number of bytes that the process has allocated with malloc() and not freed. Resident
/// memory would include freed memory that the allocator keeps.
std::uint64_t held_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Pins the process to the first `count` CPUs that it may use, or to all of these if they are
/// fewer.
void pin_to_cores(int count) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  int taken = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE && taken < count; ++core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_SET(core, &chosen);
    ++taken;
  }
  sched_setaffinity(0, sizeof(chosen), &chosen);
}

/// Returns the CPU time of all threads of the process, in ms. Other programs on the same cores do
/// not count.
double process_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

bool write_int(int fd, int value) {
  return write(fd, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));
}
bool read_int(int fd, int& value) {
  return read(fd, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));
}

/// The child process: runs one engine on one scene.
class Worker {
 public:
  Worker(const workload::Scene& scene, const MeasureOptions& options, const Layout& layout,
         std::byte* memory)
      : scene_(scene),
        options_(options),
        layout_(layout),
        result_(reinterpret_cast<SharedResult*>(memory)),
        times_(reinterpret_cast<float*>(memory + layout.times_at())),
        stages_(reinterpret_cast<float*>(memory + layout.stages_at())),
        states_(reinterpret_cast<workload::BodyState*>(memory + layout.states_at())),
        spans_(reinterpret_cast<StepSpans*>(memory + layout.spans_at())) {}

  bool start(const EngineKind& kind, bool is_observed) {
    const std::uint64_t before = held_bytes();
    std::string refusal;
    const auto begin = std::chrono::steady_clock::now();
    engine_ = kind.make(scene_, options_.settings, refusal);
    const auto end = std::chrono::steady_clock::now();
    if (!engine_) {
      copy_text(result_->refusal, refusal);
      return false;
    }
    result_->create_ms = std::chrono::duration<double, std::milli>(end - begin).count();
    bytes_before_ = before;
    connect_hands();
    for (; step_ < scene_.warm_up_steps; ++step_)
      take_step();
    if (is_observed) {
      watch_.emplace(scene_);
      observe();
    }
    return true;
  }

  void advance(int steps) {
    for (int i = 0; i < steps; ++i, ++step_) {
      if (watch_) {
        take_step();
        observe();
        continue;
      }
      const double cpu_begin_ms = process_cpu_ms();
      const auto begin = std::chrono::steady_clock::now();
      take_step();
      const auto end = std::chrono::steady_clock::now();
      result_->cpu_ms += process_cpu_ms() - cpu_begin_ms;
      const std::size_t row = result_->steps_done++;
      times_[row] =
          static_cast<float>(std::chrono::duration<double, std::milli>(end - begin).count());
      note_stages();
      if (options_.keeps_stage_spans) note_spans(spans_[row]);
    }
  }

  void finish() {
    result_->scene_bytes = held_bytes() - std::min(held_bytes(), bytes_before_);
    read_states();
    copy_text(result_->simd, engine_->simd());
    result_->counts = engine_->counts();
    result_->hash = engine_->state_hash();
    if (watch_) result_->motion = watch_->figures();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result_->peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  }

 private:
  void connect_hands() {
    hands_.look = [this](std::uint32_t body) { return engine_->body_state(body); };
    hands_.push = [this](std::uint32_t body, math::Vec3 impulse, math::Vec3 point) {
      engine_->push(body, impulse, point);
    };
    hands_.drive = [this](std::uint32_t body, math::Vec3 velocity) {
      engine_->drive(body, velocity);
    };
    hands_.move = [this](std::uint32_t body, const math::Pose& target) {
      engine_->move(body, target);
    };
  }

  void take_step() {
    workload::act(scene_, step_, hands_);
    engine_->step();
  }

  void note_stages() {
    const std::span<const StageTime> stages = engine_->stage_times();
    const std::size_t count = std::min(stages.size(), max_stages);
    if (result_->stage_count == 0) {
      for (std::size_t i = 0; i < count; ++i)
        copy_text(result_->stage_names[i], stages[i].name);
    }
    result_->stage_count = count;
    for (std::size_t i = 0; i < count; ++i)
      stages_[i] += static_cast<float>(stages[i].ms);
  }

  void note_spans(StepSpans& row) const {
    const std::span<const StageSpan> spans = engine_->stage_spans();
    row.count = std::min(spans.size(), max_spans);
    std::copy_n(spans.begin(), row.count, row.spans.begin());
  }

  void observe() {
    read_states();
    const std::span<const workload::BodyState> states(states_, scene_.bodies.size());
    watch_->observe(states);
    const check::JointGaps gaps = check::measure_joint_gaps(scene_, states);
    result_->joint_gap_max = std::max(result_->joint_gap_max, gaps.largest);
  }

  void read_states() {
    for (std::uint32_t i = 0; i < scene_.bodies.size(); ++i)
      states_[i] = engine_->state(i);
  }

  const workload::Scene& scene_;
  const MeasureOptions& options_;
  Layout layout_;
  SharedResult* result_;
  float* times_;
  float* stages_;
  workload::BodyState* states_;
  StepSpans* spans_;
  std::unique_ptr<Engine> engine_;
  workload::EngineControls hands_;
  std::optional<check::MotionWatch> watch_;  // set in observed rounds
  std::uint64_t bytes_before_ = 0;
  int step_ = 0;
};

}  // namespace

Contestant::Contestant(const workload::Scene& scene, const EngineKind& kind,
                       const MeasureOptions& options, bool is_observed)
    : steps_(static_cast<std::size_t>(options.steps)),
      bodies_(scene.bodies.size()),
      span_rows_(options.keeps_stage_spans ? steps_ : 0) {
  const Layout layout{steps_, span_rows_, bodies_};
  memory_bytes_ = layout.bytes();
  void* const memory =
      mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::array<int, 2> down{-1, -1}, up{-1, -1};
  if (memory == MAP_FAILED || pipe(down.data()) != 0 || pipe(up.data()) != 0) {
    death_ = "cannot create the shared memory or the pipes for the engine's process";
    return;
  }
  memory_ = static_cast<std::byte*>(memory);
  new (memory_) SharedResult;
  to_child_ = down[1];
  from_child_ = up[0];
  std::fflush(nullptr);
  child_ = fork();
  if (child_ != 0) {
    close(down[0]);
    close(up[1]);
    if (child_ < 0) death_ = "cannot start the engine's process";
    return;
  }
  close(down[1]);
  close(up[0]);
  pin_to_cores(options.settings.threads);
  Worker worker(scene, options, layout, memory_);
  if (!worker.start(kind, is_observed)) _exit(2);
  write_int(up[1], -1);
  int steps = 0;
  while (read_int(down[0], steps) && steps > 0) {
    worker.advance(steps);
    write_int(up[1], steps);
  }
  worker.finish();
  write_int(up[1], 0);
  _exit(0);
}

Contestant::~Contestant() {
  if (to_child_ >= 0) close(to_child_);
  if (from_child_ >= 0) close(from_child_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
}

bool Contestant::start() {
  return wait_for(-1);
}

bool Contestant::advance(int steps) {
  JOSTLE_ASSERT(steps > 0);
  return death_.empty() && write_int(to_child_, steps) && wait_for(steps);
}

bool Contestant::finish() {
  return death_.empty() && write_int(to_child_, 0) && wait_for(0);
}

bool Contestant::wait_for(int expected) {
  int answer = 0;
  if (death_.empty() && read_int(from_child_, answer) && answer == expected) return true;
  if (!death_.empty()) return false;
  const auto* result = reinterpret_cast<const SharedResult*>(memory_);
  if (result->refusal[0] != '\0') {
    death_ = result->refusal.data();
    return false;
  }
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  death_ = WIFSIGNALED(status) ? std::string("died: ") + strsignal(WTERMSIG(status))
                               : std::string("exited before the last step");
  return false;
}

std::string Contestant::failure() const {
  return death_;
}

Round Contestant::round() const {
  const auto* result = reinterpret_cast<const SharedResult*>(memory_);
  const std::size_t done = result->steps_done;
  const Layout layout{steps_, span_rows_, bodies_};

  Round round;
  round.create_ms = result->create_ms;
  round.cpu_ms = result->cpu_ms / static_cast<double>(std::max<std::size_t>(done, 1));
  round.simd = result->simd.data();
  round.counts = result->counts;
  round.hash = result->hash;
  round.peak_bytes = result->peak_bytes;
  round.scene_bytes = result->scene_bytes;
  const auto* times = reinterpret_cast<const float*>(memory_ + layout.times_at());
  round.step_ms.assign(times, times + done);
  for (std::size_t i = 0; i < result->stage_count; ++i)
    round.stage_names.emplace_back(result->stage_names[i].data());
  const auto* stages = reinterpret_cast<const float*>(memory_ + layout.stages_at());
  for (std::size_t i = 0; i < result->stage_count; ++i)
    round.stage_ms.push_back(stages[i] / static_cast<float>(std::max<std::size_t>(done, 1)));
  const auto* spans = reinterpret_cast<const StepSpans*>(memory_ + layout.spans_at());
  for (std::size_t row = 0; row < std::min(done, span_rows_); ++row) {
    round.stage_spans.emplace_back(
        spans[row].spans.begin(),
        spans[row].spans.begin() + static_cast<std::ptrdiff_t>(spans[row].count));
  }
  const auto* states = reinterpret_cast<const workload::BodyState*>(memory_ + layout.states_at());
  round.states.assign(states, states + bodies_);
  return round;
}

Observation Contestant::observation() const {
  const auto* result = reinterpret_cast<const SharedResult*>(memory_);
  return {result->joint_gap_max, result->motion, result->hash};
}

}  // namespace jostle::bench
