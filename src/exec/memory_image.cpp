#include "exec/memory_image.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unistd.h>

#include <sys/mman.h>

#include "base/source.h"

namespace heddle::exec {

namespace {

// Vector code may read a row's worth of bytes on either side of what lanes ask for (it drops them again), so the
// first allocation starts behind a margin, and so much stays accessible behind the last.
constexpr std::uint64_t kMargin = 4096;
constexpr std::uint64_t kCommitStep = std::uint64_t{64} << 20;

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) {
    return (n + to - 1) & ~(to - 1);
}

// What an allocation takes of the address space, its guard gap not counted.
constexpr std::uint64_t granules(std::uint64_t bytes) {
    return std::max(round_up(bytes, MemoryImage::kGranule), MemoryImage::kGranule);
}

} // namespace

MemoryImage::MemoryImage(std::uint64_t capacity) : capacity_(capacity), reserved_(kGlobalBytes) {
    void* at = MAP_FAILED;
    for (; reserved_ >= (std::uint64_t{1} << 30); reserved_ /= 2) { // a limit on address space may forbid the whole
        at = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED)
            break;
    }
    if (at == MAP_FAILED)
        throw UserError("cannot reserve address space for the device's memory (see 'ulimit -v')");
    base_ = static_cast<std::byte*>(at);
    // Kernels jump about in it: with small pages the host would wait for its own address translation. Only advice.
    madvise(base_, reserved_, MADV_HUGEPAGE);
    gaps_[kGlobalBase + kMargin] = kGlobalBase + reserved_ - kMargin;
}

MemoryImage::~MemoryImage() {
    munmap(base_, reserved_);
}

bool MemoryImage::commit(Address end) {
    end += kMargin;
    if (end <= committed_)
        return true;
    const Address to = std::min(kGlobalBase + round_up(end - kGlobalBase, kCommitStep), kGlobalBase + reserved_);
    if (mprotect(host(committed_), to - committed_, PROT_READ | PROT_WRITE) != 0)
        return false;
    committed_ = to;
    return true;
}

Address MemoryImage::allocate(std::uint64_t bytes, std::string label, bool read_only, std::uint64_t alignment) {
    assert((alignment & (alignment - 1)) == 0);
    alignment = std::max(alignment, kGranule);
    if (bytes > capacity_ || granules(bytes) > capacity_ - std::min(allocated_, capacity_))
        return 0;
    const std::uint64_t taken = granules(bytes) + kGranule;
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [gap_begin, gap_end] = *gap;
        const Address begin = round_up(gap_begin, alignment);
        if (begin > gap_end || gap_end - begin < taken)
            continue;
        const Address end = begin + taken;
        if (!commit(end))
            return 0;
        gaps_.erase(gap);
        if (begin > gap_begin)
            gaps_[gap_begin] = begin;
        if (end < gap_end)
            gaps_[end] = gap_end;
        forget(begin, end);
        allocated_ += granules(bytes);
        Allocation a{begin, bytes, read_only, true, std::move(label)};
        const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
        live_.insert(std::lower_bound(live_.begin(), live_.end(), begin, by_begin), std::move(a));
        return begin;
    }
    return 0;
}

bool MemoryImage::release(Address begin) {
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    const auto it = std::lower_bound(live_.begin(), live_.end(), begin, by_begin);
    if (it == live_.end() || it->begin != begin)
        return false;
    const std::uint64_t taken = granules(it->bytes);
    allocated_ -= taken;

    // Whole pages go back to the host, which gives them out zeroed again; the edges are zeroed here.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const Address first = round_up(begin, page);
    const Address last = (begin + taken) / page * page;
    if (first < last && madvise(host(first), last - first, MADV_DONTNEED) == 0) {
        std::memset(host(begin), 0, first - begin);
        std::memset(host(last), 0, begin + taken - last);
    } else {
        std::memset(host(begin), 0, taken);
    }

    Allocation old = std::move(*it);
    live_.erase(it);
    old.live = false;
    forget(begin, begin + taken);
    freed_[begin] = std::move(old);
    put_back(begin, begin + taken + kGranule);
    return true;
}

void MemoryImage::put_back(Address begin, Address end) {
    auto after = gaps_.lower_bound(begin);
    if (after != gaps_.begin()) {
        const auto before = std::prev(after);
        if (before->second == begin) {
            begin = before->first;
            gaps_.erase(before);
        }
    }
    if (after != gaps_.end() && after->first == end) {
        end = after->second;
        gaps_.erase(after);
    }
    gaps_[begin] = end;
}

void MemoryImage::forget(Address begin, Address end) {
    auto it = freed_.lower_bound(begin);
    // Freed entries do not overlap each other (release() forgets first), so one at most reaches in from below.
    if (it != freed_.begin() && std::prev(it)->second.end() > begin)
        --it;
    while (it != freed_.end() && it->first < end)
        it = freed_.erase(it);
}

const Allocation* MemoryImage::find(Address address, std::uint64_t bytes) const {
    const auto by_begin = [](Address at, const Allocation& x) { return at < x.begin; };
    auto it = std::upper_bound(live_.begin(), live_.end(), address, by_begin);
    if (it == live_.begin())
        return nullptr;
    --it;
    const std::uint64_t offset = address - it->begin;
    return offset <= it->bytes && bytes <= it->bytes - offset ? &*it : nullptr;
}

const Allocation* MemoryImage::nearest(Address address) const {
    const auto distance = [address](const Allocation& a) -> std::uint64_t {
        if (address < a.begin)
            return a.begin - address;
        return address < a.end() ? 0 : address - a.end() + 1;
    };
    const Allocation* best = nullptr;
    const auto consider = [&](const Allocation& a) {
        if (best == nullptr || distance(a) < distance(*best))
            best = &a;
    };
    const auto by_begin = [](Address at, const Allocation& x) { return at < x.begin; };
    const auto live = std::upper_bound(live_.begin(), live_.end(), address, by_begin);
    if (live != live_.begin())
        consider(*std::prev(live));
    if (live != live_.end())
        consider(*live);
    const auto freed = freed_.upper_bound(address);
    if (freed != freed_.begin())
        consider(std::prev(freed)->second);
    if (freed != freed_.end())
        consider(freed->second);
    return best;
}

} // namespace heddle::exec
