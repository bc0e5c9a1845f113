#pragma once

#include "shared/base/result.h"
#include "shared/http/request.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace jostle::http {

/// Files that are served from memory. A file NAME.br or NAME.gz beside NAME is the compressed form
/// of NAME, for clients that accept it.
class StaticFiles {
 public:
  /// Limits on a folder, so that a wrong path does not fill the memory.
  static constexpr std::size_t max_files = 4'096;
  static constexpr std::size_t max_total_bytes = 256U << 20;

  /// Reads all files of a folder and its subfolders, except hidden ones. The error is one sentence
  /// that names the path.
  static base::Result<StaticFiles, std::string> read_folder(const std::string& folder);

  /// Adds a file, such as "scripts/main.js".
  void add(const std::string& name, std::string content);

  /// Returns the answer to a request for the file `name`: 200, 304, or 404.
  Response respond(const std::string& name, const Request& request) const;
  bool contains(const std::string& name) const { return files_.contains(name); }
  std::size_t size() const { return files_.size(); }

 private:
  struct File {
    std::shared_ptr<const std::string> content;
    std::string tag;  // ETag, a hash of the content
  };
  std::map<std::string, File> files_;
};

/// Returns the media type by the name's extension.
std::string_view media_type(std::string_view name);
/// Returns true if the name contains a hash of the content, as in "main.3f2a9c01.js". Such a file
/// never changes.
bool has_content_hash(std::string_view name);
/// Returns true if an Accept-Encoding header allows the coding.
bool accepts_coding(std::string_view header, std::string_view coding);

}  // namespace jostle::http
