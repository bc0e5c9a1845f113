#include "shared/http/static_files.h"

#include "shared/base/hash.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

namespace jostle::http {
namespace {

struct MediaType {
  std::string_view extension, type;
};
constexpr std::array media_types{
    MediaType{".html", "text/html; charset=utf-8"},
    MediaType{".js", "text/javascript; charset=utf-8"},
    MediaType{".mjs", "text/javascript; charset=utf-8"},
    MediaType{".css", "text/css; charset=utf-8"},
    MediaType{".json", "application/json"},
    MediaType{".webmanifest", "application/manifest+json"},
    MediaType{".map", "application/json"},
    MediaType{".wasm", "application/wasm"},
    MediaType{".svg", "image/svg+xml"},
    MediaType{".png", "image/png"},
    MediaType{".jpg", "image/jpeg"},
    MediaType{".webp", "image/webp"},
    MediaType{".ico", "image/x-icon"},
    MediaType{".woff2", "font/woff2"},
    MediaType{".txt", "text/plain; charset=utf-8"},
    MediaType{".glb", "model/gltf-binary"},
};

constexpr std::size_t min_hash_letters = 8;

std::string tag_of(const std::string& content) {
  std::array<char, 24> text{};
  const std::uint64_t hash = base::hash_bytes(std::as_bytes(std::span(content)));
  std::snprintf(text.data(), text.size(), "\"%016llx\"", static_cast<unsigned long long>(hash));
  return text.data();
}

bool is_hidden(const std::filesystem::path& path) {
  return path.filename().string().starts_with('.');
}

}  // namespace

base::Result<StaticFiles, std::string> StaticFiles::read_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "'" + folder + "' is not a folder";
  StaticFiles files;
  std::size_t total = 0;
  fs::recursive_directory_iterator entry(folder, error);
  if (error) return "cannot read the folder '" + folder + "': " + error.message();
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (error) return "cannot read the folder '" + folder + "': " + error.message();
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file(error)) continue;
    std::ifstream stream(entry->path(), std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) return "cannot read '" + entry->path().string() + "'";
    total += content.size();
    if (files.size() >= max_files || total > max_total_bytes)
      return "the folder '" + folder + "' has more than " + std::to_string(max_files) +
             " files or " + std::to_string(max_total_bytes >> 20) + " MiB";
    files.add(fs::relative(entry->path(), folder, error).generic_string(), std::move(content));
  }
  return files;
}

void StaticFiles::add(const std::string& name, std::string content) {
  std::string tag = tag_of(content);
  files_[name] = {std::make_shared<const std::string>(std::move(content)), std::move(tag)};
}

Response StaticFiles::respond(const std::string& name, const Request& request) const {
  const auto plain = files_.find(name);
  if (plain == files_.end()) return text_response(404, "not found");
  const File* file = &plain->second;
  Response response;
  response.content_type = media_type(name);
  struct Coding {
    const char *name, *extension;
  };
  for (const Coding coding : {Coding{"br", ".br"}, Coding{"gzip", ".gz"}}) {
    const auto coded = files_.find(name + coding.extension);
    if (coded == files_.end() || !accepts_coding(request.accept_encoding, coding.name)) continue;
    file = &coded->second;
    response.headers.emplace_back("Content-Encoding", coding.name);
    break;
  }
  if (files_.contains(name + ".br") || files_.contains(name + ".gz"))
    response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back("ETag", file->tag);
  response.headers.emplace_back(
      "Cache-Control", has_content_hash(name) ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.if_none_match.find(file->tag) != std::string::npos) {
    response.status = 304;
    return response;
  }
  response.body = file->content;
  return response;
}

std::string_view media_type(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
  const auto* const found =
      std::find_if(media_types.begin(), media_types.end(),
                   [&](const MediaType& one) { return one.extension == extension; });
  return found == media_types.end() ? "application/octet-stream" : found->type;
}

bool has_content_hash(std::string_view name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t first = name.find_last_of(".-", last - 1);
  if (first == std::string_view::npos) return false;
  const std::string_view hash = name.substr(first + 1, last - first - 1);
  const bool is_text = std::all_of(hash.begin(), hash.end(), [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z');
  });
  // Names such as "main.controls.js" contain no digit.
  const bool has_digit = std::any_of(hash.begin(), hash.end(),
                                     [](char letter) { return letter >= '0' && letter <= '9'; });
  return hash.size() >= min_hash_letters && is_text && has_digit;
}

bool accepts_coding(std::string_view header, std::string_view coding) {
  while (!header.empty()) {
    const std::size_t comma = header.find(',');
    std::string_view item = header.substr(0, comma);
    header.remove_prefix(comma == std::string_view::npos ? header.size() : comma + 1);
    const std::size_t parameters = item.find(';');
    const std::string_view quality =
        parameters == std::string_view::npos ? "" : item.substr(parameters);
    item = item.substr(0, parameters);
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ')
      item.remove_suffix(1);
    if (item != coding) continue;
    // "q=0" and "q=0.0" forbid a coding.
    const std::size_t q = quality.find("q=");
    return q == std::string_view::npos ||
           quality.substr(q + 2).find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

}  // namespace jostle::http
