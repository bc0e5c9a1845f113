#pragma once

#include "shared/base/assert.h"
#include "shared/base/result.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::net {

/// An IPv4 or IPv6 address. IPv4 is held as IPv6 maps it, ::ffff:a.b.c.d, so that a machine has one
/// address of each family, whatever socket told of it.
class Ip {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  /// 0.0.0.0
  constexpr Ip() = default;
  /// IPv4, in host byte order.
  constexpr Ip(std::uint32_t v4) : low_(mapped_prefix | v4) {}  // NOLINT: implicit on purpose
  /// In network byte order. `scope` is the number of the interface through which a link-local
  /// address or group is reached; other addresses are reached through any, and drop it.
  constexpr explicit Ip(const Bytes& v6, std::uint32_t scope = 0)
      : high_(word_at(v6, 0)),
        low_(word_at(v6, 8)),
        scope_(is_link_local() || is_link_local_group() ? scope : 0) {}

  constexpr bool is_v4() const { return high_ == 0 && (low_ >> 32) == (mapped_prefix >> 32); }
  /// In host byte order. Contract: is_v4().
  constexpr std::uint32_t v4() const {
    JOSTLE_ASSERT(is_v4());
    return static_cast<std::uint32_t>(low_);
  }
  /// In network byte order.
  constexpr Bytes bytes() const {
    Bytes bytes{};
    for (std::size_t i = 0; i < 8; ++i) {
      bytes[i] = static_cast<std::uint8_t>(high_ >> (56 - 8 * i));
      bytes[8 + i] = static_cast<std::uint8_t>(low_ >> (56 - 8 * i));
    }
    return bytes;
  }
  /// 0: none.
  constexpr std::uint32_t scope() const { return scope_; }

  /// 0.0.0.0 or ::
  constexpr bool is_any() const { return high_ == 0 && (low_ == mapped_prefix || low_ == 0); }
  /// 127.0.0.0/8 or ::1
  constexpr bool is_loopback() const {
    return is_v4() ? (v4() >> 24) == 127 : high_ == 0 && low_ == 1;
  }
  /// fe80::/10
  constexpr bool is_link_local() const { return (high_ >> 54) == 0x3FA; }
  /// ffx2::/16, to which everybody on a link may listen.
  constexpr bool is_link_local_group() const {
    return (high_ >> 56) == 0xFF && ((high_ >> 48) & 0xF) == 2;
  }

  constexpr auto operator<=>(const Ip&) const = default;

 private:
  static constexpr std::uint64_t mapped_prefix = 0x0000'FFFF'0000'0000U;

  static constexpr std::uint64_t word_at(const Bytes& bytes, std::size_t first) {
    std::uint64_t word = 0;
    for (std::size_t i = first; i < first + 8; ++i)
      word = (word << 8) | bytes[i];
    return word;
  }

  std::uint64_t high_ = 0, low_ = mapped_prefix;
  std::uint32_t scope_ = 0;
};

inline constexpr Ip any_ip{0U}, any_ip6{Ip::Bytes{}};
inline constexpr Ip loopback_ip{0x7F000001U},
    loopback_ip6{Ip::Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

/// 127.0.0.1 or ::1
constexpr Ip loopback_of_family(Ip ip) {
  return ip.is_v4() ? loopback_ip : loopback_ip6;
}
/// 0.0.0.0 or ::
constexpr Ip any_of_family(Ip ip) {
  return ip.is_v4() ? any_ip : any_ip6;
}

/// Whether a socket that is bound to `local` carries datagrams to and from `other`: those of its
/// own family, and, bound to ::, those of both.
constexpr bool can_reach(Ip local, Ip other) {
  return local == any_ip6 || local.is_v4() == other.is_v4();
}

/// A UDP endpoint; the port in host byte order.
struct Address {
  Ip ip;
  std::uint16_t port = 0;

  constexpr auto operator<=>(const Address&) const = default;
};

constexpr bool is_loopback(Address address) {
  return address.ip.is_loopback();
}

/// "127.0.0.1", "::1", "fe80::1%2"
std::string to_string(Ip ip);
/// "127.0.0.1:7777", "[::1]:7777", "[fe80::1%2]:7777"
std::string to_string(Address address);

/// A dotted quad, or IPv6 as RFC 4291 writes it; behind a link-local one may stand % and the number
/// or the name of an interface of this machine. Host names are resolved at the edge, by the
/// programs.
std::optional<Ip> parse_ip(std::string_view text);
/// For command lines: why nothing can be reached at this, or nothing where something can.
std::string ip_fault(const std::string& text);

/// What stands before and behind the last colon of "host:port".
struct HostAndPort {
  std::string host;  // no brackets; not empty
  std::optional<std::uint16_t> port;
};
/// "host", "host:7777", "[::1]:7777", "[::1]"; also "::1", which has no port: all its colons are
/// the address's own. Nothing when it is none of them.
std::optional<HostAndPort> split_host_and_port(std::string_view text);

/// "127.0.0.1:7777" or "[::1]:7777"; the error says what is wrong.
base::Result<Address, std::string> parse_endpoint(const std::string& text);

}  // namespace jostle::net
