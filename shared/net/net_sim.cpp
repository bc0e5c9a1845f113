#include "shared/net/net_sim.h"

#include "shared/net/detail/posix.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace jostle::net {
namespace {

constexpr std::size_t max_datagram_bytes = 65'507;
/// Maximum number of datagrams in flight in one direction; further ones are lost, as in a router's
/// queue.
constexpr std::size_t max_held = 16'384;

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
    other_ = other;
    timer_ = detail::FileDescriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
    both_ = detail::FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
    for (const int handle : {other, timer_.get()})
      watch(handle);
  }
  /// Replaces the other handle. Call it before the old one is closed.
  void replace(int other) {
    if (!both_.is_open()) return;
    (void)::epoll_ctl(both_.get(), EPOLL_CTL_DEL, other_, nullptr);
    other_ = other;
    watch(other);
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
  void watch(int handle) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = handle;
    (void)::epoll_ctl(both_.get(), EPOLL_CTL_ADD, handle, &event);
  }

  int other_ = -1;
  detail::FileDescriptor timer_, both_;
};

class SimSocket final : public DatagramSocket {
 public:
  /// `asked` is the address with which `below` was opened.
  SimSocket(Io& io, std::unique_ptr<DatagramSocket> below, Address asked, const LinkFaults& out,
            const LinkFaults& in, std::uint64_t seed)
      : io_(io),
        below_(std::move(below)),
        asked_(asked),
        out_faults_(out),
        in_faults_(in),
        rebindings_(out.rebindings(io.now_us())),
        out_(seed),
        in_(seed + 1),
        handle_(below_->native_handle()),
        buffer_(max_datagram_bytes) {}

  Address local_address() const override { return below_->local_address(); }
  int native_handle() const override { return handle_.get(); }

  bool send(Address to, std::span<const std::byte> bytes) override {
    rebind_if_due();
    out_.take(out_faults_, io_.now_us(), to, bytes);
    send_due();
    set_timer();
    return true;
  }
  std::optional<Received> receive(std::span<std::byte> buffer) override {
    send_due();
    while (const auto got = below_->receive(buffer_)) {
      if (!got->is_truncated)
        in_.take(in_faults_, io_.now_us(), got->from, std::span(buffer_).first(got->bytes));
    }
    const auto held = in_.pop(io_.now_us());
    set_timer();
    if (!held) return std::nullopt;
    const std::size_t copied = std::min(buffer.size(), held->bytes.size());
    std::copy_n(held->bytes.begin(), copied, buffer.begin());
    return Received{held->other, copied, copied < held->bytes.size()};
  }

 private:
  /// Moves to another port if a NAT rebinding is due. Keeps the port if no other can be opened.
  void rebind_if_due() {
    const std::int64_t due = out_faults_.rebindings(io_.now_us());
    if (due == std::exchange(rebindings_, due) || asked_.port != 0) return;
    auto other = io_.open_datagram_socket(asked_);
    if (!other) return;
    handle_.replace((*other)->native_handle());
    below_ = *std::move(other);
  }
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
  Address asked_;
  LinkFaults out_faults_, in_faults_;
  std::int64_t rebindings_;
  HeldDatagrams out_, in_;
  WakingHandle handle_;
  std::vector<std::byte> buffer_;
};

}  // namespace

base::Result<std::unique_ptr<DatagramSocket>, IoError> NetSim::open_datagram_socket(Address local) {
  auto socket = below().open_datagram_socket(local);
  if (!socket) return socket.error();
  const std::uint64_t seed = seed_ * 0x9E3779B97F4A7C15ULL + 2 * std::uint64_t{sockets_++};
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<SimSocket>(below(), *std::move(socket), local, out_, in_, seed));
}

}  // namespace jostle::net
