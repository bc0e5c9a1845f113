#include "shared/keyring/token_files.h"

#include "shared/crypto/encode.h"
#include "tests/keyring/keyring_fixture.h"

namespace jostle::keyring {
namespace {

using testing::HasSubstr;

struct TokenFiles : Machine {
  static secure::TokenId id(std::uint8_t number) { return {std::byte{number}}; }
  static crypto::PublicKey client(std::uint64_t number) {
    return crypto::key_pair(seeded(number)).shown;
  }
  const std::string id_text = secure::to_string(id(1));
  const std::string key_text = crypto::to_base64(client(1));
};

TEST_F(TokenFiles, MissingAndEmptyFilesAreEmptyLists) {
  EXPECT_TRUE(read_used_tokens(io, "k").value().tokens.empty());
  EXPECT_TRUE(read_revoked_tokens(io, "k").value().empty());
  EXPECT_TRUE(read_issued_tokens(io, "k").value().empty());
  for (const std::string name : {"k/tokens.used", "k/tokens.revoked", "k/tokens.issued"})
    write(name, "");
  EXPECT_TRUE(read_used_tokens(io, "k"));
  EXPECT_TRUE(read_revoked_tokens(io, "k"));
  EXPECT_TRUE(read_issued_tokens(io, "k"));
}

TEST_F(TokenFiles, RoundTripAddedTokens) {
  const UsedToken used{.id = id(1), .not_after_s = 1'800'000'600, .client = client(1)};
  ASSERT_TRUE(add_used_token(io, "k", used));
  ASSERT_TRUE(add_used_token(io, "k", {.id = id(2), .not_after_s = -5, .client = client(2)}));
  const auto read_used = read_used_tokens(io, "k");
  ASSERT_TRUE(read_used) << error_of(read_used);
  ASSERT_EQ(read_used->tokens.size(), 2U);
  EXPECT_EQ(read_used->tokens[0].id, used.id);
  EXPECT_EQ(read_used->tokens[0].not_after_s, used.not_after_s);
  EXPECT_EQ(read_used->tokens[0].client, used.client);
  EXPECT_EQ(read_used->tokens[1].not_after_s, -5);
  EXPECT_EQ(read_used->torn_line, 0U);
  EXPECT_THAT(read("k/tokens.used"), testing::StartsWith("jostle-tokens-used-1\n" + id_text +
                                                         " 1800000600 " + key_text + "\n"));

  ASSERT_TRUE(add_revoked_token(io, "k", id(3)));
  ASSERT_TRUE(add_revoked_token(io, "k", id(4)));
  EXPECT_EQ(read_revoked_tokens(io, "k").value(), (std::set{id(3), id(4)}));

  const secure::Token token{.id = id(5),
                            .client = UINT64_MAX,
                            .role = secure::Role::Operator,
                            .is_reusable = true,
                            .server = client(9),
                            .not_after_s = 7,
                            .holder = client(6)};
  ASSERT_TRUE(add_issued_token(io, "k", token));
  ASSERT_TRUE(add_issued_token(io, "k", {.id = id(6)}));
  const auto issued = read_issued_tokens(io, "k");
  ASSERT_TRUE(issued) << error_of(issued);
  ASSERT_EQ(issued->size(), 2U);
  EXPECT_EQ((*issued)[0].id, token.id);
  EXPECT_EQ((*issued)[0].client, token.client);
  EXPECT_EQ((*issued)[0].role, token.role);
  EXPECT_TRUE((*issued)[0].is_reusable);
  EXPECT_EQ((*issued)[0].not_after_s, 7);
  EXPECT_EQ((*issued)[0].holder, token.holder);
  EXPECT_FALSE((*issued)[1].is_reusable);
  EXPECT_EQ((*issued)[1].holder, crypto::PublicKey{});
}

TEST_F(TokenFiles, AcceptManualEdits) {
  write("k/tokens.revoked",
        "jostle-tokens-revoked-1\r\n\n# Bob's\n  " + id_text + "\t\r\n" + secure::to_string(id(2)));
  EXPECT_EQ(read_revoked_tokens(io, "k").value(), (std::set{id(1), id(2)}));
  ASSERT_TRUE(add_revoked_token(io, "k", id(3)));
  EXPECT_EQ(read_revoked_tokens(io, "k").value(), (std::set{id(1), id(2), id(3)}))
      << "after a line without a newline";
}

// A power loss can leave zeros in place of a part of a line that was not synced.
TEST_F(TokenFiles, ALastLineWithZerosIsDetectedAndSkipped) {
  const std::string whole = "jostle-tokens-used-1\n" + id_text + " 1800000600 " + key_text + "\n";
  const std::string line = secure::to_string(id(2)) + " 1800000600 " + key_text + "\n";
  for (std::size_t length = 1; length <= line.size(); ++length) {
    SCOPED_TRACE(length);
    for (const bool is_start : {true, false}) {
      std::string torn = line;
      torn.replace(is_start ? 0 : line.size() - length, length, length, '\0');
      write("k/tokens.used", whole + torn);
      const auto used = read_used_tokens(io, "k");
      ASSERT_TRUE(used) << error_of(used);
      EXPECT_EQ(used->tokens.size(), 1U);
      EXPECT_EQ(used->torn_line, 3U);
    }
  }
}

TEST_F(TokenFiles, ErrorsNameTheInvalidLine) {
  const auto used = [&](const std::string& text) {
    write("k/tokens.used", text);
    return error_of(read_used_tokens(io, "k"));
  };
  const std::string head = "jostle-tokens-used-1\n";
  EXPECT_EQ(used("jostle-tokens-used-2\n"),
            "k/tokens.used:1: expected the first line 'jostle-tokens-used-1'");
  EXPECT_THAT(used("\n" + head), HasSubstr(":1: expected the first line"));
  EXPECT_THAT(used(id_text + " 1 " + key_text + "\n"), HasSubstr(":1: expected the first line"));
  EXPECT_THAT(used(head + "\xc3\xa9\n"), HasSubstr(":2: the line contains characters"));
  EXPECT_THAT(used(head + std::string(1, '\0') + "\n" + id_text + " 1 " + key_text + "\n"),
              HasSubstr(":2: the line contains characters"));
  EXPECT_THAT(used(head + std::string(2'000, 'A')), HasSubstr(":2: the line is too long"));
  const std::string good = id_text + " 1 " + key_text;
  for (const std::string& line :
       {id_text, id_text + " 1", good + " more", "x " + good, id_text + " one " + key_text,
        id_text + " 1e3 " + key_text, id_text + " 99999999999999999999 " + key_text,
        id_text.substr(1) + " 1 " + key_text, id_text + " 1 " + key_text.substr(1),
        key_text + " 1 " + id_text, std::string("= = =")}) {
    SCOPED_TRACE(line);
    EXPECT_EQ(used(head + good + "\n\n" + line + "\n"),
              "k/tokens.used:4: expected a line 'ID EXPIRY CLIENT'");
  }
  write("k/tokens.revoked", "jostle-tokens-revoked-1\n" + id_text + " " + id_text + "\n");
  EXPECT_EQ(error_of(read_revoked_tokens(io, "k")), "k/tokens.revoked:2: expected a token ID");
  for (const std::string rest : {" 1 king 0 once -", " 1 player -1 once -", " 1 player 0 twice -",
                                 " 1 player 0 once", " 1 player 0 once x", " player 0 once -"}) {
    SCOPED_TRACE(rest);
    write("k/tokens.issued", "jostle-tokens-issued-1\n" + id_text + rest + "\n");
    EXPECT_THAT(error_of(read_issued_tokens(io, "k")),
                HasSubstr("k/tokens.issued:2: expected a line"));
  }
}

// The machine may stop after any byte of the line that it writes.
TEST_F(TokenFiles, AnIncompleteLastLineIsDetectedAndSkipped) {
  const std::string whole = "jostle-tokens-used-1\n" + id_text + " 1800000600 " + key_text + "\n";
  const std::string line = secure::to_string(id(2)) + " 1800000600 " + key_text;
  for (std::size_t length = 1; length < line.size(); ++length) {
    SCOPED_TRACE(length);
    write("k/tokens.used", whole + line.substr(0, length));
    const auto used = read_used_tokens(io, "k");
    ASSERT_TRUE(used) << error_of(used);
    EXPECT_EQ(used->tokens.size(), 1U);
    EXPECT_EQ(used->torn_line, 3U);
  }
  write("k/tokens.used", whole + line);
  EXPECT_EQ(read_used_tokens(io, "k").value().tokens.size(), 2U) << "only the newline is missing";
}

TEST_F(TokenFiles, ReportAFullDiskAndKeepTheList) {
  ASSERT_TRUE(add_revoked_token(io, "k", id(1)));
  const std::string before = read("k/tokens.revoked");
  io.set_disk_capacity_bytes(before.size() + 5);
  EXPECT_EQ(error_of(add_revoked_token(io, "k", id(2))),
            "'k/tokens.revoked': no space left on the disk");
  EXPECT_EQ(read("k/tokens.revoked"), before);
}

}  // namespace
}  // namespace jostle::keyring
