#include "sm/frame/stream_buffer.h"

namespace heddle::sm {

StreamBuffer::Found StreamBuffer::take(Address line, mem::MissId miss) {
    const auto found = std::find_if(places_.begin(), places_.end(), [&](const Place& place) {
        return place.state != State::Free && place.miss == mem::kNoMiss && place.line == line;
    });
    const bool is_stream = found != places_.end() && is_in_stream(line);
    Found out = Found::No;
    if (is_stream && found->state == State::There) {
        found->state = State::Free;
        ++stats_.hits;
        out = Found::There;
    } else if (is_stream) {
        found->miss = miss;
        ++stats_.late;
        out = Found::Coming;
    } else {
        ++stats_.streams;
    }
    begin_at(line + line_bytes_);
    return out;
}

// Lines that have come and are not in the stream give their places back.
void StreamBuffer::begin_at(Address line) {
    begin_ = line;
    for (Place& place : places_)
        if (place.state == State::There && !is_in_stream(place.line)) {
            place.state = State::Free;
            ++stats_.dropped;
        }
}

mem::MissId StreamBuffer::fill(unsigned place) {
    Place& p = places_[place];
    const bool stays = p.miss == mem::kNoMiss && is_in_stream(p.line);
    p.state = stays ? State::There : State::Free;
    stats_.dropped += p.miss == mem::kNoMiss && !stays ? 1 : 0;
    return p.miss;
}

void StreamBuffer::flush() {
    for (Place& place : places_)
        if (place.state == State::There) {
            place.state = State::Free;
            ++stats_.dropped;
        }
}

std::span<const stats::Statistic<StreamStats>> StreamStats::statistics() {
    using S = StreamStats;
    static const stats::Statistic<S> table[] = {
        {"hits", &S::hits, "lines", "misses of a sub-core's instruction cache whose line was in its stream buffer"},
        {"late", &S::late, "lines", "misses whose line was on its way to the stream buffer"},
        {"streams", &S::streams, "lines", "misses that were in no stream, and began one"},
        {"lines", &S::lines, "lines", "lines that stream buffers requested"},
        {"dropped", &S::dropped, "lines", "of these, lines that left their stream unused"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::StreamStats, "icache_stream", "stream buffers of the sub-cores' instruction caches")
