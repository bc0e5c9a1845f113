// Tests that the implementation produces the bytes of the example handshake in docs/SECURITY.md,
// which is a reference for other implementations.
#include "shared/secure/handshake_initiator.h"
#include "shared/secure/handshake_responder.h"
#include "shared/secure/sealed_datagram.h"
#include "tests/secure/hex.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jostle::secure {
namespace {

/// Returns a random source that yields the given bytes, and fails the test if more are requested.
crypto::FillRandom scripted(std::vector<std::byte> bytes) {
  return [bytes = std::move(bytes), at = std::size_t{0}](std::span<std::byte> out) mutable {
    ASSERT_LE(at + out.size(), bytes.size());
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    at += out.size();
  };
}

std::vector<std::byte> joined(std::initializer_list<std::vector<std::byte>> parts) {
  std::vector<std::byte> all;
  for (const auto& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Returns the lines "name: hex" of the example in docs/SECURITY.md. Lines with the same name are
/// joined.
std::map<std::string, std::string> documented() {
  std::ifstream page(JOSTLE_SOURCE_DIR "/docs/SECURITY.md");
  std::map<std::string, std::string> lines;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) is_inside = line == "```vectors";
    const std::size_t colon = line.find(": ");
    if (!is_inside || colon == std::string::npos) continue;
    lines[line.substr(0, colon)] += line.substr(colon + 2);
  }
  return lines;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines documented_lines(std::map<std::string, std::string>& given) {
  const auto bytes = [&](const std::string& name) { return from_hex(given[name]); };
  const auto secret = [&](const std::string& name) {
    return crypto::Secret<32>(sized<32>(bytes(name)));
  };
  const auto address = from_hex("00000000000000000000ffff7f000001000000001e61");
  const std::int64_t now_us = 30'000'000;

  HandshakeResponder responder(
      {.key = crypto::key_pair(secret("server secret"))},
      scripted(joined({bytes("cookie secret"), bytes("server one-time secret")})));
  HandshakeInitiator initiator(
      {.own = crypto::key_pair(secret("client secret")), .token = bytes("token")},
      scripted(joined({bytes("nonce"), bytes("client one-time secret")})));
  Lines lines;
  const auto hello = *initiator.next_datagram(now_us);
  lines.emplace_back("hello without its zeros", to_hex(std::span(hello).first(11)));
  const auto cookie = *responder.answer_hello(hello, address, now_us);
  lines.emplace_back("cookie", to_hex(cookie));
  initiator.take(cookie, now_us);
  const auto auth_datagram = *initiator.next_datagram(now_us);
  const auto digest = crypto::blake2b({auth_datagram});
  lines.emplace_back("auth without its text", to_hex(std::span(auth_datagram).first(31 + 80)));
  lines.emplace_back("blake2b of auth", to_hex(digest));
  const auto auth = responder.check_cookie(auth_datagram, address, now_us);
  auto candidate = responder.read(*auth);
  const auto answer = responder.answer(*candidate, *auth,
                                       {.role = Role::Player, .session = 0x11223344, .client = 7});
  lines.emplace_back("accept", to_hex(answer->datagram));
  initiator.take(answer->datagram, now_us);
  lines.emplace_back("key from client", to_hex(answer->keys.from_initiator.bytes()));
  lines.emplace_back("key from server", to_hex(answer->keys.from_responder.bytes()));
  EXPECT_EQ(initiator.state(), HandshakeInitiator::State::Admitted);

  std::vector<std::byte> sealed(sealed_overhead_bytes + 5);
  const auto text = std::as_bytes(std::span("jolly", 5));
  std::copy(text.begin(), text.end(), sealed.begin() + sealed_head_bytes);
  DatagramEncryptor(initiator.session().keys.from_initiator, initiator.session().number)
      .seal(sealed);
  lines.emplace_back("first sealed datagram, of \"jolly\"", to_hex(sealed));
  return lines;
}

TEST(DocumentedBytes, MatchTheImplementation) {
  auto given = documented();
  ASSERT_GE(given.size(), 7U) << "docs/SECURITY.md has no ```vectors block";
  for (const auto& [name, hex] : documented_lines(given))
    EXPECT_EQ(given[name], hex) << "docs/SECURITY.md should say\n" << name << ": " << hex;
}

}  // namespace
}  // namespace jostle::secure
