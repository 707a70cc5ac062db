// What lies behind the instruction cache of a sub-core: its stream buffer, and the SM's InstructionL1.
#pragma once

#include "sm/frame/instruction_l1.h"
#include "sm/frame/stream_buffer.h"

namespace heddle::sm {

class FetchPath {
public:
    // Path `index` of the `count` of the SM, behind a cache with `misses` entries for misses. Requests of the path are
    // index, index + count, ...: those of misses first, those of the stream buffer behind them.
    FetchPath(InstructionL1& l1, unsigned index, unsigned count, unsigned misses, unsigned stream,
              std::uint64_t line_bytes)
        : l1_(l1), index_(index), count_(count), misses_(misses), stream_lines_(stream), stream_(stream, line_bytes) {}

    // The most requests of all paths of an SM.
    [[nodiscard]] static unsigned requests(unsigned count, std::uint64_t misses, std::uint64_t stream) {
        return count * static_cast<unsigned>(misses + stream);
    }

    // A cache has missed a line. True when the line is there at once.
    bool take(mem::MissId miss, Address line, Pc pc, Cycle now) {
        const StreamBuffer::Found found = stream_.take(line, miss);
        if (found == StreamBuffer::Found::No)
            l1_.request(miss * count_ + index_, line, pc, now);
        last_pc_ = pc;
        extend(now);
        return found == StreamBuffer::Found::There;
    }
    // The line of a request has come. Returns the miss that it was for; kNoMiss: it was for the stream buffer.
    [[nodiscard]] mem::MissId arrived(std::uint32_t request, Cycle now) {
        const std::uint32_t place = request / count_;
        if (place < misses_)
            return place;
        const mem::MissId miss = stream_.fill(place - misses_);
        extend(now);
        return miss;
    }
    void flush() {
        stream_.flush();
    }
    void add_statistics(stats::Tree& tree) {
        if (stream_lines_ != 0)
            tree.add_one_of("icache_stream", stream_.stats());
    }

private:
    void extend(Cycle now) {
        stream_.extend([&](unsigned place, Address line) {
            l1_.request((misses_ + place) * count_ + index_, line, last_pc_, now);
        });
    }

    InstructionL1& l1_;
    const unsigned index_, count_, misses_, stream_lines_;
    StreamBuffer stream_;
    Pc last_pc_ = kNoPc; // that has missed
};

} // namespace heddle::sm
