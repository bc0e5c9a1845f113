#include "shared/http/static_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace jostle::http {
namespace {

std::string header(const Response& response, const std::string& name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "none";
}

TEST(StaticFiles, ServesTheContentWithItsType) {
  StaticFiles files;
  files.add("index.html", "<p>");
  files.add("a.wasm", "wasm");
  const Response page = files.respond("index.html", {});
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(*page.body, "<p>");
  EXPECT_EQ(files.respond("a.wasm", {}).content_type, "application/wasm");
  EXPECT_EQ(files.respond("missing", {}).status, 404);
}

TEST(StaticFiles, AnswersNotModifiedForTheKnownTag) {
  StaticFiles files;
  files.add("a.js", "1");
  Request request;
  request.if_none_match = header(files.respond("a.js", {}), "ETag");
  EXPECT_EQ(files.respond("a.js", request).status, 304);
  files.add("a.js", "2");
  EXPECT_EQ(files.respond("a.js", request).status, 200);
}

TEST(StaticFiles, ServesACompressedFormOnlyToClientsThatAcceptIt) {
  StaticFiles files;
  files.add("a.wasm", "plain");
  files.add("a.wasm.gz", "zipped");
  files.add("a.wasm.br", "brotli");
  Request request;
  EXPECT_EQ(*files.respond("a.wasm", request).body, "plain");
  EXPECT_EQ(header(files.respond("a.wasm", request), "Vary"), "Accept-Encoding");
  request.accept_encoding = "gzip, deflate";
  EXPECT_EQ(*files.respond("a.wasm", request).body, "zipped");
  EXPECT_EQ(header(files.respond("a.wasm", request), "Content-Encoding"), "gzip");
  EXPECT_EQ(files.respond("a.wasm", request).content_type, "application/wasm");
  request.accept_encoding = "gzip, br";
  EXPECT_EQ(*files.respond("a.wasm", request).body, "brotli");
  request.accept_encoding = "br;q=0, gzip;q=0.0";
  EXPECT_EQ(*files.respond("a.wasm", request).body, "plain");
}

TEST(StaticFiles, LetsOnlyNamesWithAHashBeCachedForGood) {
  for (const char* const name :
       {"main.3f2a9c01.js", "main-3F2A9C01.js", "a/b.0123456789abcdef.wasm"})
    EXPECT_TRUE(has_content_hash(name)) << name;
  for (const char* const name : {"main.js", "index.html", "main.controls.js", "a.b.js", "main"})
    EXPECT_FALSE(has_content_hash(name)) << name;
}

TEST(StaticFiles, ReadsAFolderWithoutHiddenFiles) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "static_files_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "sub/.git");
  std::ofstream(folder / "index.html") << "page";
  std::ofstream(folder / "sub/a.js") << "script";
  std::ofstream(folder / "sub/.git/secret") << "no";
  std::ofstream(folder / ".env") << "no";
  const auto files = StaticFiles::read_folder(folder.string());
  ASSERT_TRUE(files);
  EXPECT_EQ(files->size(), 2U);
  EXPECT_TRUE(files->contains("sub/a.js"));
  EXPECT_FALSE(StaticFiles::read_folder((folder / "none").string()));
  fs::remove_all(folder);
}

TEST(DecodePath, RefusesPathsThatLeaveTheRoot) {
  EXPECT_EQ(decode_path("/a%20b/c?x=1"), "/a b/c");
  EXPECT_EQ(decode_path("/a..b"), "/a..b");
  for (const char* const target : {"/../etc/passwd", "/a/%2e%2e/b", "/a/..", "/%00", "/a%2",
                                   "/a%zz", "http://x/", "", "*", "/a\\b"})
    EXPECT_EQ(decode_path(target), "") << target;
}

}  // namespace
}  // namespace jostle::http
