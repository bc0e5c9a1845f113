#include "server/line_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

namespace jostle::server {
namespace {

/// A pipe that poll() reports as writable takes at least this much without blocking (PIPE_BUF).
constexpr std::size_t safe_bytes = 4'096;
constexpr int poll_ms = 100;
constexpr double last_seconds = 1;

}  // namespace

LineOutput::LineOutput(int descriptor, std::string_view name, std::size_t most_bytes)
    : descriptor_(descriptor), name_(name), most_bytes_(most_bytes) {
  // Signals are for the thread that runs the event loop.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LineOutput::~LineOutput() {
  (void)flush(last_seconds);
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void LineOutput::write(std::string_view line) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + line.size() > most_bytes_) {
      ++dropped_;
      return;
    }
    // The next line that fits says how many are missing before it.
    if (const std::uint64_t missing = dropped_ - std::exchange(told_dropped_, dropped_))
      waiting_ += "warn lines dropped output=" + name_ + " count=" + std::to_string(missing) +
                  " why=\"the reader was too slow\"\n";
    waiting_ += line;
  }
  wake_.notify_one();
}

bool LineOutput::flush(double seconds) {
  std::unique_lock lock(mutex_);
  return done_.wait_for(lock, std::chrono::duration<double>(seconds),
                        [this] { return waiting_.empty() && !is_writing_; });
}

void LineOutput::end(double seconds) {
  if (flush(seconds)) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)::dup2(nowhere, descriptor_);
  ::close(nowhere);
}

std::uint64_t LineOutput::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

/// Writes the text as far as the reader takes it. Returns false if the object ends meanwhile.
bool LineOutput::put(std::string_view text) {
  while (!text.empty()) {
    pollfd ready{descriptor_, POLLOUT, 0};
    const int found = ::poll(&ready, 1, poll_ms);
    if (found <= 0) {
      const std::lock_guard lock(mutex_);
      if (is_ending_) return false;
      continue;
    }
    const ssize_t written = ::write(descriptor_, text.data(), std::min(text.size(), safe_bytes));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return true;  // the reader is gone, and the text is lost
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void LineOutput::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::string text = std::exchange(waiting_, {});
    is_writing_ = true;
    lock.unlock();
    const bool goes_on = put(text);
    lock.lock();
    is_writing_ = false;
    done_.notify_all();
    if (!goes_on) return;
  }
}

}  // namespace jostle::server
