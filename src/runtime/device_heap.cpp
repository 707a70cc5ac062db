#include "runtime/device_heap.h"

#include <array>
#include <cstring>

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kListsAt = 64;
constexpr std::uint64_t kClasses = 256; // of sizes up to kLargest
constexpr std::uint64_t kLists = kClasses * 8;
constexpr std::uint64_t kBlocksAt = kListsAt + kLists * sizeof(std::uint64_t);
constexpr std::uint64_t kLargest = std::uint64_t{1} << 35; // numbers of 16-byte units have 32 bits

} // namespace

Address make_heap(exec::MemoryImage& image, std::uint64_t bytes) {
    if (bytes > kLargest)
        return 0;
    const std::uint64_t size = kBlocksAt + bytes;
    const Address heap = image.allocate(size, "heap of malloc");
    if (heap == 0)
        return 0;
    image.set_owner(heap, exec::Owner::Context);
    const std::array<std::uint64_t, 4> control{kBlocksAt, size, kLists, kBlocksAt};
    std::memcpy(image.host(heap), control.data(), sizeof control);
    return heap;
}

} // namespace heddle::runtime
