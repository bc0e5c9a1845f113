#include "shared/http/host_check.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace jostle::http {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

/// A host without brackets, and the text of its port.
struct HostParts {
  std::string host, port;
};

std::optional<HostParts> split_host(std::string_view text) {
  HostParts parts;
  if (!text.empty() && text.front() == '[') {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    parts.host = lower(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    if (text.empty()) return parts;
    if (text.front() != ':') return std::nullopt;
    parts.port = text.substr(1);
  } else {
    const std::size_t colon = text.find(':');
    parts.host = lower(text.substr(0, colon));
    if (colon != std::string_view::npos) parts.port = text.substr(colon + 1);
  }
  const bool is_number = std::all_of(parts.port.begin(), parts.port.end(),
                                     [](char digit) { return digit >= '0' && digit <= '9'; });
  if (parts.host.empty() || (!is_number && parts.port != "*")) return std::nullopt;
  return parts;
}

struct Origin {
  std::string scheme;
  HostParts host;
};

std::optional<Origin> split_origin(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos) return std::nullopt;
  Origin origin;
  origin.scheme = lower(text.substr(0, end));
  auto host = split_host(text.substr(end + 3));
  if (!host || (origin.scheme != "http" && origin.scheme != "https")) return std::nullopt;
  origin.host = *std::move(host);
  if (origin.host.port.empty()) origin.host.port = origin.scheme == "https" ? "443" : "80";
  return origin;
}

bool is_local_name(std::string_view host) {
  constexpr std::string_view suffix = ".localhost";
  return host == "localhost" || host.ends_with(suffix);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

HostCheck::HostCheck(Options options) : options_(std::move(options)) {}

bool HostCheck::accepts_host(std::string_view host) const {
  const auto parts = split_host(host);
  if (!parts || parts->port == "*") return false;
  if (is_local_name(parts->host) || net::parse_ip(parts->host)) return true;
  return std::any_of(options_.hosts.begin(), options_.hosts.end(),
                     [&](const std::string& name) { return lower(name) == parts->host; });
}

bool HostCheck::accepts_origin(std::string_view origin, std::string_view host) const {
  const auto from = split_origin(origin);
  const auto here = split_host(host);
  if (!from || !here || from->host.port == "*") return false;
  // A proxy that ends TLS changes the scheme and hides the port, if it is the usual one.
  const bool is_same_port = here->port.empty()
                                ? from->host.port == (from->scheme == "https" ? "443" : "80")
                                : from->host.port == here->port;
  if (from->host.host == here->host && is_same_port) return true;
  return std::any_of(
      options_.origins.begin(), options_.origins.end(), [&](const std::string& text) {
        const auto listed = split_origin(text);
        return listed && listed->scheme == from->scheme && listed->host.host == from->host.host &&
               (listed->host.port == "*" || listed->host.port == from->host.port);
      });
}

std::string origin_fault(const std::string& text) {
  const auto origin = split_origin(text);
  const bool is_plain = text.find_first_of("/ ;,'\"\\", text.find("://") + 3) == std::string::npos;
  if (origin && is_plain) return {};
  return "'" + text + "' is not an origin, such as https://example.org or http://localhost:8888";
}

std::string host_name_fault(const std::string& text) {
  const bool is_name = !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '-';
  });
  return is_name ? std::string()
                 : "'" + text + "' is not a host name without a port, such as play.example.org";
}

net::Address client_address(net::Address socket, std::string_view forwarded_for,
                            std::span<const net::Ip> trusted_proxies) {
  const auto is_trusted = [&](net::Ip ip) {
    return std::find(trusted_proxies.begin(), trusted_proxies.end(), ip) != trusted_proxies.end();
  };
  net::Address client = socket;
  while (is_trusted(client.ip) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    const auto ip = net::parse_ip(trimmed(forwarded_for.substr(begin)));
    if (!ip) break;
    client = {*ip, 0};
    forwarded_for = forwarded_for.substr(0, comma == std::string_view::npos ? 0 : comma);
  }
  return client;
}

}  // namespace jostle::http
