// Memory of the host program that threads of the device reach, too (cudaHostRegister), at addresses of the device: its
// pages become those of a file that is mapped at both places.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exec/memory_image.h"

namespace heddle::runtime {

class HostPages {
public:
    explicit HostPages(exec::MemoryImage& image) : image_(image) {}
    ~HostPages();
    HostPages(const HostPages&) = delete;
    HostPages& operator=(const HostPages&) = delete;

    // The pages of [begin, begin + bytes), which no earlier range has a byte of. Returns the address of `begin` on the
    // device. The content stays; another thread that writes to these pages meanwhile may lose what it writes. Throws
    // UserError when the pages are not private memory of the program that it may write, or the host refuses.
    [[nodiscard]] Address share(void* begin, std::uint64_t bytes, std::string label);
    // The pages are the program's alone again, with their content. `address`: of share().
    void give_back(Address address);

private:
    // Some pages side by side, of the program and of the file.
    struct Pages {
        std::byte* at;
        std::uint64_t bytes, offset;
    };
    // A page in which a range begins or ends, perhaps several.
    struct EdgePage {
        std::uint64_t offset;
        unsigned ranges;
    };
    struct Range {
        Address pages = 0;       // on the device
        std::uint64_t bytes = 0; // of the pages
        std::vector<Pages> inner;
        std::vector<std::byte*> edges;
    };

    void open_file();
    // Moves private pages to the end of the file. Returns the offset.
    std::uint64_t to_file(std::byte* at, std::uint64_t bytes);
    void to_program(const Pages& pages);
    // The page becomes an edge of one range more.
    [[nodiscard]] Pages take_edge(std::byte* page);
    void leave_edge(std::byte* page);
    void place(const Pages& pages, Address at);
    // Fills `range`, whose addresses on the device are known, with the pages from `first` on.
    void move(std::byte* first, Range& range);
    void undo(const Range& range);

    exec::MemoryImage& image_;
    int file_ = -1;
    std::uint64_t file_bytes_ = 0;
    std::map<std::byte*, EdgePage> edges_;
    std::map<Address, Range> ranges_; // by the address of the first byte
};

} // namespace heddle::runtime
