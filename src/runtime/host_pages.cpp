#include "runtime/host_pages.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/round_up.h"
#include "base/source.h"

namespace heddle::runtime {

namespace {

std::uint64_t page_bytes() {
    return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void refuse(const std::string& why) {
    throw UserError(fmt::format("the memory cannot be shared with the device: {}", why));
}

[[noreturn]] void refuse_by_host(const char* call) {
    refuse(fmt::format("{}: {}", call, std::strerror(errno)));
}

// A line of /proc/self/maps: "begin-end rights offset device inode name".
struct Mapping {
    std::uint64_t begin = 0, end = 0;
    std::string rights, name;
};

Mapping mapping_of(const std::string& line) {
    Mapping out;
    std::istringstream words(line);
    char dash = 0;
    std::string skipped;
    words >> std::hex >> out.begin >> dash >> out.end >> out.rights >> skipped >> skipped >> skipped >> out.name;
    return out;
}

constexpr const char* kFile = "heddle-registered";

// Calls f(mapping, its first address there) for what the program has mapped in [begin, begin + bytes), until f returns
// false. Returns the first address that was not passed; the end: all were.
template <class F>
std::uint64_t pass_mappings(std::uint64_t begin, std::uint64_t bytes, const F& f) {
    const std::uint64_t end = begin + bytes;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; begin < end && std::getline(maps, line);) {
        const Mapping m = mapping_of(line);
        if (m.end <= begin || m.begin > begin)
            continue;
        if (!f(m, begin))
            return begin;
        begin = m.end;
    }
    return std::min(begin, end);
}

// Whether bytes are those of the stack of the calling thread, which may be in use.
bool are_of_stack(std::uint64_t begin, std::uint64_t bytes) {
    pthread_attr_t attributes;
    void* stack = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    const auto from = reinterpret_cast<std::uint64_t>(stack);
    return begin < from + size && from < begin + bytes;
}

// A stack grows, and pages of shared memory are those of other programs, too.
void require_private(std::uint64_t begin, std::uint64_t bytes) {
    if (are_of_stack(begin, bytes))
        refuse("it is a part of the stack");
    const std::uint64_t passed = pass_mappings(begin, bytes, [](const Mapping& m, std::uint64_t at) {
        if (m.name == "[stack]")
            refuse("it is a part of the stack");
        if (m.rights != "rw-p")
            refuse(fmt::format("the pages from {:#x} on are no private memory that the program may write ({})", at,
                               m.rights));
        return true;
    });
    if (passed != begin + bytes)
        refuse(fmt::format("the program has no memory at {:#x}", passed));
}

// Whether the program still has pages of the file there. It may have unmapped them, and something else may be there.
bool are_of_file(const std::byte* at, std::uint64_t bytes) {
    const auto begin = reinterpret_cast<std::uint64_t>(at);
    return pass_mappings(begin, bytes, [](const Mapping& m, std::uint64_t) {
               return m.name.find(kFile) != std::string::npos;
           }) == begin + bytes;
}

} // namespace

HostPages::~HostPages() {
    if (file_ >= 0)
        close(file_);
}

void HostPages::open_file() {
    if (file_ < 0)
        file_ = memfd_create(kFile, MFD_CLOEXEC);
    if (file_ < 0)
        refuse_by_host("memfd_create");
}

std::uint64_t HostPages::to_file(std::byte* at, std::uint64_t bytes) {
    const std::uint64_t offset = file_bytes_;
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t written = pwrite(file_, at + done, bytes - done, static_cast<off_t>(offset + done));
        if (written <= 0)
            refuse_by_host("pwrite");
        done += static_cast<std::uint64_t>(written);
    }
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, static_cast<off_t>(offset)) != at)
        refuse_by_host("mmap");
    file_bytes_ += bytes;
    return offset;
}

void HostPages::to_program(const Pages& pages) {
    constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (!are_of_file(pages.at, pages.bytes))
        return;
    if (mmap(pages.at, pages.bytes, PROT_READ | PROT_WRITE, kPrivate, -1, 0) != pages.at)
        return; // they stay pages of the file
    for (std::uint64_t done = 0; done < pages.bytes;) {
        const ssize_t read = pread(file_, pages.at + done, pages.bytes - done, static_cast<off_t>(pages.offset + done));
        if (read <= 0)
            break;
        done += static_cast<std::uint64_t>(read);
    }
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(pages.offset),
              static_cast<off_t>(pages.bytes));
}

HostPages::Pages HostPages::take_edge(std::byte* page) {
    auto edge = edges_.find(page);
    if (edge == edges_.end())
        edge = edges_.emplace(page, EdgePage{to_file(page, page_bytes()), 0}).first;
    ++edge->second.ranges;
    return {page, page_bytes(), edge->second.offset};
}

void HostPages::leave_edge(std::byte* page) {
    const auto edge = edges_.find(page);
    if (--edge->second.ranges != 0)
        return;
    to_program({page, page_bytes(), edge->second.offset});
    edges_.erase(edge);
}

void HostPages::place(const Pages& pages, Address at) {
    if (!image_.map(at, pages.bytes, file_, pages.offset))
        refuse_by_host("mmap");
}

// Only the first and the last page may be of other ranges, too.
void HostPages::move(std::byte* first, Range& range) {
    const std::uint64_t page = page_bytes();
    std::byte* const last = first + range.bytes - page;
    const auto on_device = [&](const std::byte* at) { return range.pages + static_cast<std::uint64_t>(at - first); };
    for (std::byte* const edge : {first, last})
        if (range.edges.empty() || edge != range.edges.front()) {
            const Pages pages = take_edge(edge);
            range.edges.push_back(edge);
            place(pages, on_device(edge));
        }
    if (first + page >= last)
        return;
    std::byte* const inner = first + page;
    const auto length = static_cast<std::uint64_t>(last - inner);
    range.inner.push_back({inner, length, to_file(inner, length)});
    place(range.inner.back(), on_device(inner));
}

void HostPages::undo(const Range& range) {
    image_.unmap(range.pages, range.bytes);
    image_.give_back(range.pages, range.bytes);
    for (const Pages& pages : range.inner)
        to_program(pages);
    for (std::byte* const edge : range.edges)
        leave_edge(edge);
}

Address HostPages::share(void* begin, std::uint64_t bytes, std::string label) {
    const std::uint64_t page = page_bytes();
    const std::uint64_t before = reinterpret_cast<std::uint64_t>(begin) % page;
    std::byte* const first = static_cast<std::byte*>(begin) - before;
    Range range;
    range.bytes = round_up(before + bytes, page);
    std::byte* const last = first + range.bytes - page;
    const std::uint64_t shared_first = edges_.contains(first) ? page : 0;
    const std::uint64_t shared_last = first != last && edges_.contains(last) ? page : 0;
    require_private(reinterpret_cast<std::uint64_t>(first) + shared_first, range.bytes - shared_first - shared_last);
    open_file();
    range.pages = image_.reserve(range.bytes, 0);
    if (range.pages == 0)
        refuse("there is no room in the device's address space");
    try {
        move(first, range);
    } catch (const UserError&) {
        undo(range);
        throw;
    }
    const Address address = range.pages + before;
    image_.allow({.begin = address, .bytes = bytes, .pinned = true, .label = std::move(label)});
    ranges_.emplace(address, std::move(range));
    return address;
}

void HostPages::give_back(Address address) {
    const auto range = ranges_.find(address);
    image_.forbid(address);
    undo(range->second);
    ranges_.erase(range);
}

} // namespace heddle::runtime
