// Stub for WASI, which has no network interfaces.
#pragma once

#define IF_NAMESIZE 16

inline unsigned if_nametoindex(const char*) {
  return 0;
}
