#include "shared/net/enet_memory.h"

#include "shared/net/enet_platform.h"

#include <enet/enet.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace jostle::net {
namespace {

/// Header before each block, so that a freed block is credited to the host that allocated it.
struct alignas(std::max_align_t) BlockHeader {
  EnetMemory* owner = nullptr;
  std::size_t bytes = 0;
};

bool is_refused(EnetMemory& memory, std::size_t bytes) {
  ++memory.allocations;
  if (memory.allocations == memory.refused_allocation) return true;
  return bytes > memory.quota_bytes || memory.live_bytes > memory.quota_bytes - bytes;
}

void* ENET_CALLBACK allocate(std::size_t bytes) {
  EnetContext* const context = EnetContext::current();
  EnetMemory* const memory = context == nullptr ? nullptr : &context->memory;
  if (memory != nullptr && is_refused(*memory, bytes)) {
    ++memory->refusals;
    return nullptr;
  }
  void* const block =
      bytes > SIZE_MAX - sizeof(BlockHeader) ? nullptr : std::malloc(sizeof(BlockHeader) + bytes);
  if (block == nullptr) {
    if (memory != nullptr) ++memory->refusals;
    return nullptr;
  }
  auto* const header = ::new (block) BlockHeader{.owner = memory, .bytes = bytes};
  if (memory != nullptr) {
    memory->live_bytes += bytes;
    memory->peak_bytes = std::max(memory->peak_bytes, memory->live_bytes);
  }
  return header + 1;
}

void ENET_CALLBACK release(void* pointer) {
  if (pointer == nullptr) return;
  BlockHeader* const header = static_cast<BlockHeader*>(pointer) - 1;
  if (header->owner != nullptr) header->owner->live_bytes -= header->bytes;
  std::free(header);
}

/// Does nothing, so that ENet handles the null pointer. ENet calls this function after a failed
/// allocation; its default handler aborts.
void ENET_CALLBACK go_on() {}

}  // namespace

bool install_enet_memory() {
  static const bool is_installed = [] {
    ENetCallbacks callbacks{};
    callbacks.malloc = allocate;
    callbacks.free = release;
    callbacks.no_memory = go_on;
    return enet_initialize_with_callbacks(ENET_VERSION, &callbacks) == 0;
  }();
  return is_installed;
}

}  // namespace jostle::net
