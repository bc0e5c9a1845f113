#include "shared/net/system_io.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>

// Simulates a machine without IPv6, like many containers: a seccomp filter makes the kernel refuse
// IPv6 sockets to this process.

namespace jostle::net {
namespace {

/// Makes socket(AF_INET6, ...) fail from now on, as on a kernel without IPv6.
bool forbid_ipv6() {
  constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS, is_equal = BPF_JMP | BPF_JEQ | BPF_K,
                          answer = BPF_RET | BPF_K;
  // The filter compares the system call's number and the low 32 bits of its first argument. All
  // supported machines are little-endian.
  sock_filter steps[] = {
      {load, 0, 0, offsetof(seccomp_data, nr)},         {is_equal, 0, 3, SYS_socket},
      {load, 0, 0, offsetof(seccomp_data, args)},       {is_equal, 0, 1, AF_INET6},
      {answer, 0, 0, SECCOMP_RET_ERRNO | EAFNOSUPPORT}, {answer, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter{.len = static_cast<unsigned short>(std::size(steps)), .filter = steps};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool can_forbid() {
  // Without a filter, the call always fails. The error is EFAULT if the kernel supports filters.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == -1 && errno == EFAULT;
}

void expect(bool is_so, const char* words) {
  if (is_so) return;
  std::fprintf(stderr, "failed: %s\n", words);
  std::_Exit(1);
}

/// Opens sockets without IPv6 and checks them. Runs in a child process and ends it.
void open_sockets_without_ipv6() {
  expect(forbid_ipv6(), "the seccomp filter is installed");
  SystemIo io;
  auto server = io.open_datagram_socket({.ip = any_ip6, .port = 0});
  expect(server.has_value(), "a socket at :: can be opened");
  const Address there = (*server)->local_address();
  expect(there.ip == any_ip && there.port != 0, "the socket at :: is bound to 0.0.0.0");
  auto again = io.open_datagram_socket({.ip = any_ip6, .port = there.port});
  expect(!again && again.error() == IoError::AddressInUse, "a port in use is reported");
  auto v6 = io.open_datagram_socket({.ip = loopback_ip6, .port = 0});
  expect(!v6 && v6.error() == IoError::AddressUnavailable, "::1 is unavailable");

  auto client = io.open_datagram_socket({.ip = any_ip6, .port = 0});
  const std::byte byte{42};
  expect(!(*client)->send({.ip = loopback_ip6, .port = there.port}, {&byte, 1}),
         "sending to IPv6 fails");
  expect((*client)->send({.ip = loopback_ip, .port = there.port}, {&byte, 1}),
         "sending to IPv4 works");
  std::byte buffer[8];
  const auto received = (*server)->receive(buffer);
  expect(received && received->from.ip == loopback_ip && buffer[0] == byte, "IPv4 arrives");
  std::_Exit(0);
}

TEST(WithoutIpv6DeathTest, ASocketAtAnyIpv6FallsBackToIpv4) {
  if (!can_forbid()) GTEST_SKIP() << "this kernel does not support seccomp filters";
  EXPECT_EXIT(open_sockets_without_ipv6(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace jostle::net
