// A stream buffer (Jouppi, ISCA 1990; Huerta et al., MICRO 2025): the lines behind the last one that a cache has missed
// are fetched before they are needed. A miss that finds its line here takes it; the stream then goes on behind it. Any
// other miss begins the stream anew behind its own line.
//
// Assumed: a line that is on its way when the stream begins anew keeps its place until it comes.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"
#include "mem/cache/mshr.h"
#include "stats/statistic.h"

namespace heddle::sm {

struct StreamStats {
    std::uint64_t hits = 0;
    std::uint64_t late = 0;
    std::uint64_t streams = 0;
    std::uint64_t lines = 0;
    std::uint64_t dropped = 0;
    static std::span<const stats::Statistic<StreamStats>> statistics();
};

class StreamBuffer {
public:
    // `lines`: places of the buffer, each for a line of `line_bytes`.
    StreamBuffer(unsigned lines, std::uint64_t line_bytes) : line_bytes_(line_bytes), places_(lines) {}

    enum class Found : std::uint8_t { No, There, Coming };
    // A cache has missed a line, for its entry `miss`. There: the line leaves the buffer for the cache. Coming: the
    // entry is told when the line comes. The stream goes on behind the line.
    Found take(Address line, mem::MissId miss);
    // Calls ask(place, line) for each line of the stream that has no place yet, as long as one is free.
    template <class Ask>
    void extend(Ask&& ask) {
        for (unsigned n = 0; n < places_.size(); ++n) {
            const Address line = begin_ + Address{n} * line_bytes_;
            if (holds(line))
                continue;
            const auto free = std::find_if(places_.begin(), places_.end(),
                                           [](const Place& place) { return place.state == State::Free; });
            if (free == places_.end())
                return;
            *free = {line, State::Coming, mem::kNoMiss};
            ++stats_.lines;
            ask(static_cast<unsigned>(free - places_.begin()), line);
        }
    }
    // The line of a place has come. Returns the entry that waits for it; kNoMiss: it stays here, or is dropped.
    mem::MissId fill(unsigned place);

    // Drops the lines that are there.
    void flush();

    [[nodiscard]] StreamStats& stats() {
        return stats_;
    }

private:
    enum class State : std::uint8_t { Free, Coming, There };
    struct Place {
        Address line = 0;
        State state = State::Free;
        mem::MissId miss = mem::kNoMiss; // that waits for the line
    };

    [[nodiscard]] bool holds(Address line) const {
        return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
            return place.state != State::Free && place.miss == mem::kNoMiss && place.line == line;
        });
    }
    [[nodiscard]] bool is_in_stream(Address line) const {
        return line - begin_ < places_.size() * line_bytes_;
    }
    void begin_at(Address line);

    const std::uint64_t line_bytes_;
    std::vector<Place> places_;
    Address begin_ = 0; // the first line of the stream
    StreamStats stats_;
};

} // namespace heddle::sm
