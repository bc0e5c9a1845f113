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

/// An IPv4 or IPv6 address. IPv4 is stored as an IPv4-mapped IPv6 address, ::ffff:a.b.c.d. A host
/// therefore has the same IPv4 address whether an IPv4 or a dual-stack socket reports it.
class Ip {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  /// Makes the address 0.0.0.0.
  constexpr Ip() = default;
  /// Makes an IPv4 address from host byte order.
  constexpr Ip(std::uint32_t v4) : low_(mapped_prefix | v4) {}  // NOLINT: implicit on purpose
  /// Makes an address from network byte order. `scope` is the index of the interface through which
  /// a link-local address or multicast group is reached. It is dropped for all other addresses,
  /// which do not need one.
  constexpr explicit Ip(const Bytes& v6, std::uint32_t scope = 0)
      : high_(word_at(v6, 0)),
        low_(word_at(v6, 8)),
        scope_(is_link_local() || is_link_local_group() ? scope : 0) {}

  constexpr bool is_v4() const { return high_ == 0 && (low_ >> 32) == (mapped_prefix >> 32); }
  /// Returns the IPv4 address in host byte order. is_v4() must be true.
  constexpr std::uint32_t v4() const {
    JOSTLE_ASSERT(is_v4());
    return static_cast<std::uint32_t>(low_);
  }
  /// Returns the 16 bytes in network byte order.
  constexpr Bytes bytes() const {
    Bytes bytes{};
    for (std::size_t i = 0; i < 8; ++i) {
      bytes[i] = static_cast<std::uint8_t>(high_ >> (56 - 8 * i));
      bytes[8 + i] = static_cast<std::uint8_t>(low_ >> (56 - 8 * i));
    }
    return bytes;
  }
  /// Returns the interface index, or 0 for none.
  constexpr std::uint32_t scope() const { return scope_; }

  /// Returns true for 0.0.0.0 and ::.
  constexpr bool is_any() const { return high_ == 0 && (low_ == mapped_prefix || low_ == 0); }
  /// Returns true for 127.0.0.0/8 and ::1.
  constexpr bool is_loopback() const {
    return is_v4() ? (v4() >> 24) == 127 : high_ == 0 && low_ == 1;
  }
  /// Returns true for fe80::/10.
  constexpr bool is_link_local() const { return (high_ >> 54) == 0x3FA; }
  /// Returns true for the link-local multicast groups, ffx2::/16.
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

/// Returns the loopback address of the family of `ip`: 127.0.0.1 or ::1.
constexpr Ip loopback_of_family(Ip ip) {
  return ip.is_v4() ? loopback_ip : loopback_ip6;
}
/// Returns the unspecified address of the family of `ip`: 0.0.0.0 or ::.
constexpr Ip any_of_family(Ip ip) {
  return ip.is_v4() ? any_ip : any_ip6;
}

/// Returns true if a socket that is bound to `local` can send to `other` and receive from it. Both
/// must be of the same family, unless `local` is ::, which is dual-stack.
constexpr bool can_reach(Ip local, Ip other) {
  return local == any_ip6 || local.is_v4() == other.is_v4();
}

/// A UDP endpoint. The port is in host byte order.
struct Address {
  Ip ip;
  std::uint16_t port = 0;

  constexpr auto operator<=>(const Address&) const = default;
};

constexpr bool is_loopback(Address address) {
  return address.ip.is_loopback();
}

/// Formats an address, for example "127.0.0.1", "::1" or "fe80::1%2".
std::string to_string(Ip ip);
/// Formats an endpoint, for example "127.0.0.1:7777", "[::1]:7777" or "[fe80::1%2]:7777".
std::string to_string(Address address);

/// Parses a dotted quad or an IPv6 address (RFC 4291). A link-local address may be followed by %
/// and the index or name of an interface of this machine. Returns nothing for any other text,
/// including host names, which the programs resolve.
std::optional<Ip> parse_ip(std::string_view text);
/// Returns why the text is not a usable address (not an IP address, or link-local without an
/// interface of this machine), or an empty string if it is usable.
std::string ip_fault(const std::string& text);

/// The two parts of "host:port".
struct HostAndPort {
  std::string host;  // host name or IP address without brackets; never empty
  std::optional<std::uint16_t> port;
};
/// Splits "host", "host:7777", "[::1]:7777" or "[::1]". "::1" is also accepted, as an address
/// without a port. Returns nothing for any other text.
std::optional<HostAndPort> split_host_and_port(std::string_view text);

/// Parses "127.0.0.1:7777" or "[::1]:7777". The error says what is wrong.
base::Result<Address, std::string> parse_endpoint(const std::string& text);

}  // namespace jostle::net
