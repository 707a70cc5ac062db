#include "exec/memory_image.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/host_limits.h"
#include "base/round_up.h"
#include "base/source.h"

namespace heddle::exec {

namespace {

// Vector code may read up to a row of bytes before and behind the bytes that lanes access, and drops these bytes. So
// the first allocation starts behind a margin, and a margin behind the last allocation stays accessible.
constexpr std::uint64_t kMargin = 4096;
constexpr std::uint64_t kCommitStep = std::uint64_t{64} << 20;
static_assert(kCommitStep % MemoryImage::kPage == 0 && kGlobalBase % MemoryImage::kPage == 0,
              "the pages of allocations are accessible as a whole");

std::uint64_t page() {
    return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// The bytes of address space that an allocation takes, without its guard gap.
std::uint64_t taken_by(const Allocation& a) {
    const std::uint64_t unit = a.shared ? page() : MemoryImage::kGranule;
    return std::max(round_up(a.bytes, unit), unit);
}

// Maps the pages of `bytes` zeroed bytes at two addresses; `first` is mapped already. False when `second` is not
// free, or the host has no such memory; then nothing has changed.
bool map_twice(std::byte* first, std::byte* second, std::uint64_t bytes) {
    const int file = memfd_create("heddle-managed", MFD_CLOEXEC);
    if (file < 0)
        return false;
    const auto length = static_cast<off_t>(bytes);
    constexpr int kAccess = PROT_READ | PROT_WRITE;
    bool done = ftruncate(file, length) == 0 &&
                mmap(second, bytes, kAccess, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0) == second;
    if (done && mmap(first, bytes, kAccess, MAP_SHARED | MAP_FIXED, file, 0) != first) {
        munmap(second, bytes);
        done = false;
    }
    close(file);
    return done;
}

// The address of a shared allocation in the host program.
std::byte* host_view(Address address) {
    return reinterpret_cast<std::byte*>(address);
}

} // namespace

MemoryImage::MemoryImage(std::uint64_t capacity, Placement placement)
    : capacity_(capacity), placement_{.alignment = std::max(placement.alignment, kGranule),
                                      .gap = std::max(round_up(placement.gap, kGranule), kGranule)},
      reserved_(kGlobalBytes) {
    void* at = MAP_FAILED;
    for (; reserved_ >= (std::uint64_t{1} << 30);
         reserved_ /= 2) { // the process may have a lower limit on address space
        at = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED)
            break;
    }
    if (at == MAP_FAILED)
        throw UserError(
            fmt::format("cannot reserve 1 GiB of address space for the device's memory: {}", memory_error()));
    base_ = static_cast<std::byte*>(at);
    // Kernels access distant addresses: with small pages the host waits for its own address translation. An error has
    // no effect.
    madvise(base_, reserved_, MADV_HUGEPAGE);
    gaps_[kGlobalBase + kMargin] = kGlobalBase + reserved_ - kMargin;
}

MemoryImage::~MemoryImage() {
    for (const Allocation& a : live_)
        if (a.shared)
            munmap(host_view(a.begin), taken_by(a));
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

Address MemoryImage::allocate(std::uint64_t bytes, std::string label, bool constant, std::uint64_t alignment) {
    return place({.bytes = bytes, .constant = constant, .label = std::move(label)},
                 std::max(alignment, placement_.alignment));
}

Address MemoryImage::allocate_shared(std::uint64_t bytes, std::string label) {
    return share({.bytes = bytes, .shared = true, .label = std::move(label)});
}

Address MemoryImage::allocate_pinned(std::uint64_t bytes, std::string label) {
    const Address begin = share({.bytes = bytes, .shared = true, .pinned = true, .label = std::move(label)});
    if (begin == 0)
        return 0;
    // Nothing else makes the margins accessible here.
    constexpr int kAccess = PROT_READ | PROT_WRITE;
    const Address end = begin + round_up(bytes, page());
    mprotect(host(begin) - page(), page(), kAccess);
    mprotect(host(end), page(), kAccess);
    return begin;
}

Address MemoryImage::share(Allocation what) {
    const Address begin = place(std::move(what), page());
    if (begin == 0)
        return 0;
    const auto it = std::prev(std::upper_bound(live_.begin(), live_.end(), begin,
                                               [](Address at, const Allocation& x) { return at < x.begin; }));
    if (map_twice(host(begin), host_view(begin), taken_by(*it)))
        return begin;
    (void)refuse(*it);
    take_out(it);
    return 0;
}

Address MemoryImage::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    alignment = std::max(alignment, kPage);
    const std::uint64_t taken = round_up(bytes, kPage) + kPage; // a page of no memory behind it
    for (auto gap = gaps_.end(); gap != gaps_.begin();) {
        const auto [begin, end] = *--gap;
        const Address at = (end - std::min(taken, end - begin)) & ~(alignment - 1);
        if (bytes > reserved_ || end - begin < taken || at < begin + kMargin)
            continue;
        gaps_.erase(gap);
        gaps_[begin] = at;
        if (at + taken < end)
            gaps_[at + taken] = end;
        forget(at, at + taken);
        // Also the margins: nothing else makes them accessible here.
        mprotect(host(at) - kMargin, taken + kMargin, PROT_READ | PROT_WRITE);
        return at;
    }
    return 0;
}

void MemoryImage::give_back(Address begin, std::uint64_t bytes) {
    const std::uint64_t taken = round_up(bytes, kPage) + kPage;
    clear(begin, taken);
    put_back(begin, begin + taken);
}

bool MemoryImage::map(Address begin, std::uint64_t bytes, int file, std::uint64_t offset) {
    return mmap(host(begin), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(offset)) ==
           host(begin);
}

void MemoryImage::unmap(Address begin, std::uint64_t bytes) {
    constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(host(begin), bytes, PROT_READ | PROT_WRITE, kPrivate, -1, 0) != host(begin))
        throw UserError("the host has no memory for the device's");
}

void MemoryImage::allow(Allocation what) {
    forbid(what.begin);
    forget(what.begin, what.end());
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    live_.insert(std::lower_bound(live_.begin(), live_.end(), what.begin, by_begin), std::move(what));
}

// The record is kept for messages.
void MemoryImage::forbid(Address begin) {
    const auto at = std::find_if(live_.begin(), live_.end(), [begin](const Allocation& a) { return a.begin == begin; });
    if (at == live_.end())
        return;
    Allocation old = std::move(*at);
    live_.erase(at);
    old.live = false;
    forget(begin, old.end());
    freed_[begin] = std::move(old);
}

bool MemoryImage::take_capacity(std::uint64_t bytes) {
    if (bytes > capacity_ - std::min(allocated_, capacity_))
        return false;
    allocated_ += bytes;
    return true;
}

// There is no room, for which place() returns 0. Pinned memory may be elsewhere then.
Address MemoryImage::refuse(Allocation what) {
    if (!what.pinned)
        last_refused_ = {what.bytes, std::move(what.label)};
    return 0;
}

// Allocates in the first gap that is large enough, pinned memory in the last one; 0: there is none.
Address MemoryImage::place(Allocation what, std::uint64_t alignment) {
    assert((alignment & (alignment - 1)) == 0);
    if (what.bytes > reserved_)
        return refuse(std::move(what));
    const std::uint64_t taken = taken_by(what) + placement_.gap;
    if (what.pinned) {
        for (auto gap = gaps_.end(); gap != gaps_.begin();) {
            const auto [begin, end] = *--gap;
            if (end - begin >= taken && ((end - taken) & ~(alignment - 1)) >= begin)
                return take(gap, (end - taken) & ~(alignment - 1), std::move(what));
        }
        return refuse(std::move(what));
    }
    if (what.bytes > capacity_ || taken_by(what) > capacity_ - std::min(allocated_, capacity_))
        return refuse(std::move(what));
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const Address begin = round_up(gap->first, alignment);
        if (begin <= gap->second && gap->second - begin >= taken)
            return commit(begin + taken) ? take(gap, begin, std::move(what)) : refuse(std::move(what));
    }
    return refuse(std::move(what));
}

Address MemoryImage::take(Gaps::iterator gap, Address begin, Allocation what) {
    const auto [gap_begin, gap_end] = *gap;
    const Address end = begin + taken_by(what) + placement_.gap;
    gaps_.erase(gap);
    if (begin > gap_begin)
        gaps_[gap_begin] = begin;
    if (end < gap_end)
        gaps_[end] = gap_end;
    forget(begin, end);
    allocated_ += what.pinned ? 0 : taken_by(what);
    if (stray_stores_ && !what.pinned)
        clear(begin, taken_by(what));
    what.begin = begin;
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    live_.insert(std::lower_bound(live_.begin(), live_.end(), begin, by_begin), std::move(what));
    return begin;
}

void MemoryImage::set_owner(Address begin, Owner owner) {
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    const auto it = std::lower_bound(live_.begin(), live_.end(), begin, by_begin);
    if (it != live_.end() && it->begin == begin)
        it->owner = owner;
}

bool MemoryImage::release(Address begin) {
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    const auto it = std::lower_bound(live_.begin(), live_.end(), begin, by_begin);
    if (it == live_.end() || it->begin != begin)
        return false;
    const std::uint64_t taken = taken_by(*it);
    if (it->shared) {
        munmap(host_view(begin), taken);
        // Replaces the shared pages by private ones, which are zeroed.
        constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        if (mmap(host(begin), taken, PROT_READ | PROT_WRITE, kPrivate, -1, 0) != host(begin))
            throw UserError("the host has no memory for the device's");
        madvise(host(begin), taken, MADV_HUGEPAGE);
    } else {
        clear(begin, taken);
    }
    take_out(it);
    return true;
}

// Returns whole pages to the host, which provides zeroed pages at the next access; the edges are zeroed here.
void MemoryImage::clear(Address begin, std::uint64_t bytes) {
    const Address first = round_up(begin, page());
    const Address last = (begin + bytes) / page() * page();
    if (first < last && madvise(host(first), last - first, MADV_DONTNEED) == 0) {
        std::memset(host(begin), 0, first - begin);
        std::memset(host(last), 0, begin + bytes - last);
    } else {
        std::memset(host(begin), 0, bytes);
    }
}

// The range may be reused; the record is kept for messages.
void MemoryImage::take_out(std::vector<Allocation>::iterator what) {
    Allocation old = std::move(*what);
    live_.erase(what);
    const std::uint64_t taken = taken_by(old);
    allocated_ -= old.pinned ? 0 : taken;
    old.live = false;
    forget(old.begin, old.begin + taken);
    put_back(old.begin, old.begin + taken + placement_.gap);
    const Address begin = old.begin;
    freed_[begin] = std::move(old);
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
    // Freed entries do not overlap each other (release() forgets first), so at most one that begins below reaches in.
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

bool MemoryImage::is_in_used_page(Address address, std::uint64_t bytes, bool store) const {
    if (address < kGlobalBase || address - kGlobalBase > reserved_ - bytes)
        return false;
    const Allocation* const near = nearest(address);
    if (near == nullptr || (!near->live && address >= near->begin && address < near->end()))
        return false;
    for (const Address end : {address, address + bytes - 1})
        if (const Allocation* const holder = find(end, 1);
            holder != nullptr && (holder->read_only || holder->constant) && !holder->is_out_of_reach() && store)
            return false;
    const Address page = address / kPage * kPage;
    const auto by_begin = [](const Allocation& x, Address at) { return x.begin < at; };
    const auto behind = std::lower_bound(live_.begin(), live_.end(), page + kPage, by_begin);
    return behind != live_.begin() && !std::prev(behind)->pinned && std::prev(behind)->end() > page;
}

std::uint64_t MemoryImage::bytes_in_reach(Address address, std::uint64_t bytes) const {
    const auto ends_before = [](const Allocation& x, Address at) { return x.end() <= at; };
    for (auto it = std::lower_bound(live_.begin(), live_.end(), address, ends_before);
         it != live_.end() && it->begin < address + bytes; ++it)
        if (it->is_out_of_reach())
            return std::max(it->begin, address) - address;
    return bytes;
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
    const auto is_shown = [](const Allocation& a) { return a.owner == Owner::Program || a.owner == Owner::Context; };
    // The nearest one on either side.
    const auto live = std::upper_bound(live_.begin(), live_.end(), address, by_begin);
    if (const auto at = std::find_if(live, live_.end(), is_shown); at != live_.end())
        consider(*at);
    if (const auto at = std::find_if(std::reverse_iterator(live), live_.rend(), is_shown); at != live_.rend())
        consider(*at);
    const auto freed = freed_.upper_bound(address);
    const auto is_shown_freed = [&](const auto& entry) { return is_shown(entry.second); };
    if (const auto at = std::find_if(freed, freed_.end(), is_shown_freed); at != freed_.end())
        consider(at->second);
    if (const auto at = std::find_if(std::reverse_iterator(freed), freed_.rend(), is_shown_freed); at != freed_.rend())
        consider(at->second);
    return best;
}

} // namespace heddle::exec
