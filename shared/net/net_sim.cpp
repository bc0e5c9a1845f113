#include "shared/net/net_sim.h"

#include "shared/net/detail/posix.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace jostle::net {
namespace {

constexpr std::size_t max_datagram_bytes = 65'507;
constexpr double max_milliseconds = 10'000;
/// Maximum number of datagrams in flight in one direction; further ones are lost, as in a router's
/// queue.
constexpr std::size_t max_held = 16'384;

LinkFaults faults_of(double latency_ms, double jitter_ms, double loss_percent,
                     std::int64_t bytes_per_s = 0) {
  LinkFaults faults;
  faults.latency_us = static_cast<std::int64_t>(latency_ms * 1e3);
  faults.jitter_us = static_cast<std::int64_t>(jitter_ms * 1e3);
  faults.loss = static_cast<float>(loss_percent * 1e-2);
  faults.bandwidth_bytes_per_s = bytes_per_s;
  return faults;
}

std::optional<double> number_within(std::string_view text, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

/// The datagrams that are delayed in one direction.
class HeldDatagrams {
 public:
  explicit HeldDatagrams(std::uint64_t seed) : link_(seed) {}

  void take(const LinkFaults& faults, std::int64_t now_us, Address other,
            std::span<const std::byte> bytes) {
    for (FaultyLink::Arrival& arrival :
         link_.carry(faults, now_us, {bytes.begin(), bytes.end()}, counters_)) {
      if (held_.size() >= max_held) return;
      held_.push_back({arrival.time_us, next_++, other, std::move(arrival.bytes)});
      std::push_heap(held_.begin(), held_.end(), is_later);
    }
  }
  std::optional<std::int64_t> next_us() const {
    return held_.empty() ? std::nullopt : std::optional(held_.front().time_us);
  }
  struct Held {
    std::int64_t time_us = 0;
    std::uint64_t order = 0;
    Address other;
    std::vector<std::byte> bytes;
  };
  /// Removes and returns the next datagram that is due; returns nothing if none is due.
  std::optional<Held> pop(std::int64_t now_us) {
    if (held_.empty() || held_.front().time_us > now_us) return std::nullopt;
    std::pop_heap(held_.begin(), held_.end(), is_later);
    Held held = std::move(held_.back());
    held_.pop_back();
    return held;
  }

 private:
  static bool is_later(const Held& a, const Held& b) {
    return std::pair(a.time_us, a.order) > std::pair(b.time_us, b.order);
  }

  FaultyLink link_;
  FaultCounters counters_;
  std::vector<Held> held_;  // a heap with the earliest arrival in front
  std::uint64_t next_ = 0;
};

/// A pollable handle that becomes readable when another handle does, or at a given time.
class WakingHandle {
 public:
  explicit WakingHandle(int other) {
    if (other < 0) return;
    timer_ = detail::FileDescriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
    both_ = detail::FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
    for (const int handle : {other, timer_.get()}) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.fd = handle;
      (void)::epoll_ctl(both_.get(), EPOLL_CTL_ADD, handle, &event);
    }
  }
  int get() const { return both_.get(); }
  /// Makes the handle readable after `wait_us`, in place of an earlier time; never if `wait_us` is
  /// empty.
  void wake_after(std::optional<std::int64_t> wait_us) {
    if (!timer_.is_open()) return;
    itimerspec time{};
    if (wait_us) {
      const std::int64_t us = std::max<std::int64_t>(*wait_us, 1);
      time.it_value.tv_sec = us / 1'000'000;
      time.it_value.tv_nsec = us % 1'000'000 * 1'000;
    }
    (void)::timerfd_settime(timer_.get(), 0, &time, nullptr);
  }

 private:
  detail::FileDescriptor timer_, both_;
};

class SimSocket final : public DatagramSocket {
 public:
  SimSocket(Io& io, std::unique_ptr<DatagramSocket> below, const LinkFaults& faults,
            std::uint64_t seed)
      : io_(io),
        below_(std::move(below)),
        faults_(faults),
        out_(seed),
        in_(seed + 1),
        handle_(below_->native_handle()),
        buffer_(max_datagram_bytes) {}

  Address local_address() const override { return below_->local_address(); }
  int native_handle() const override { return handle_.get(); }

  bool send(Address to, std::span<const std::byte> bytes) override {
    out_.take(faults_, io_.now_us(), to, bytes);
    send_due();
    set_timer();
    return true;
  }
  std::optional<Received> receive(std::span<std::byte> buffer) override {
    send_due();
    while (const auto got = below_->receive(buffer_)) {
      if (!got->is_truncated)
        in_.take(faults_, io_.now_us(), got->from, std::span(buffer_).first(got->bytes));
    }
    const auto held = in_.pop(io_.now_us());
    set_timer();
    if (!held) return std::nullopt;
    const std::size_t copied = std::min(buffer.size(), held->bytes.size());
    std::copy_n(held->bytes.begin(), copied, buffer.begin());
    return Received{held->other, copied, copied < held->bytes.size()};
  }

 private:
  void send_due() {
    while (const auto held = out_.pop(io_.now_us()))
      (void)below_->send(held->other, held->bytes);
  }
  void set_timer() {
    const auto out = out_.next_us(), in = in_.next_us();
    std::optional<std::int64_t> next = out ? out : in;
    if (out && in) next = std::min(*out, *in);
    if (next) next = *next - io_.now_us();
    handle_.wake_after(next);
  }

  Io& io_;
  std::unique_ptr<DatagramSocket> below_;
  LinkFaults faults_;
  HeldDatagrams out_, in_;
  WakingHandle handle_;
  std::vector<std::byte> buffer_;
};

}  // namespace

const std::vector<NetProfile>& net_profiles() {
  // Values for one direction: half of the round trip.
  static const std::vector<NetProfile> profiles{
      {"broadband", faults_of(10, 2, 0.1)},          {"wifi", faults_of(12, 15, 1)},
      {"mobile", faults_of(35, 25, 2, 1'000'000)},   {"bad", faults_of(60, 60, 10, 250'000)},
      {"satellite", faults_of(300, 20, 1, 500'000)},
  };
  return profiles;
}

std::string net_profile_names() {
  std::string names;
  for (const NetProfile& profile : net_profiles())
    names += (names.empty() ? "" : ", ") + std::string(profile.name);
  return names;
}

base::Result<LinkFaults, std::string> parse_net_sim(std::string_view text) {
  for (const NetProfile& profile : net_profiles())
    if (text == profile.name) return LinkFaults(profile.faults);
  const std::size_t first = text.find('/');
  const std::size_t second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second != std::string_view::npos && text.ends_with('%')) {
    const auto latency = number_within(text.substr(0, first), max_milliseconds);
    const auto jitter = number_within(text.substr(first + 1, second - first - 1), max_milliseconds);
    const auto loss = number_within(text.substr(second + 1, text.size() - second - 2), 100);
    if (latency && jitter && loss) return faults_of(*latency, *jitter, *loss);
  }
  return "'" + std::string(text) +
         "' is not a network: expected LATENCY/JITTER/LOSS% in ms up to 10000, such as 40/10/5%, "
         "or one of " +
         net_profile_names();
}

std::string net_sim_fault(const std::string& text) {
  const auto faults = parse_net_sim(text);
  return faults ? std::string() : faults.error();
}

std::string describe(const LinkFaults& faults) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%g ms, up to %g ms of jitter, %g %% lost",
                static_cast<double>(faults.latency_us) * 1e-3,
                static_cast<double>(faults.jitter_us) * 1e-3,
                std::round(static_cast<double>(faults.loss) * 1e4) * 1e-2);
  std::string words = text.data();
  if (faults.bandwidth_bytes_per_s > 0)
    words += ", " + std::to_string(faults.bandwidth_bytes_per_s * 8 / 1'000) + " kbit/s";
  return words + ", each way";
}

base::Result<std::unique_ptr<DatagramSocket>, IoError> NetSim::open_datagram_socket(Address local) {
  auto below = below_.open_datagram_socket(local);
  if (!below) return below.error();
  const std::uint64_t seed = seed_ * 0x9E3779B97F4A7C15ULL + 2 * std::uint64_t{sockets_++};
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<SimSocket>(below_, *std::move(below), faults_, seed));
}

}  // namespace jostle::net
