#include "shared/base/version.h"

namespace jostle::base {
namespace {

constexpr std::string_view architecture() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__riscv)
  return "riscv64";
#elif defined(__s390x__)
  return "s390x";
#else
  return "unknown";
#endif
}

constexpr std::string_view compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

constexpr std::string_view build_type() {
#ifdef __OPTIMIZE__
  return "optimised";
#else
  return "debug";
#endif
}

}  // namespace

std::string_view version() {
  return JOSTLE_VERSION;
}

std::string compiler_description() {
  std::string text(compiler());
  text += ", ";
  text += architecture();
  text += ", ";
  text += build_type();
  return text;
}

std::string build_description() {
  return "jostle " + std::string(version()) + ", " + compiler_description();
}

}  // namespace jostle::base
