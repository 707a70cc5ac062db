#include <algorithm>
#include <vector>

#include "mem/cache/prefetcher.h"

namespace heddle::mem {
namespace {

// A table of the last access of each instruction of each warp. The first line of an instruction trains it. It requests
// lines when a stride has come so often that its counter of 2 bits is high enough. Sizes and thresholds are assumed.
class Stride final : public Prefetcher {
public:
    explicit Stride(const PrefetcherShape& shape) : shape_(shape), table_(kEntries) {}

    void access(const CacheAccess& access, Found /*found*/, PrefetchQueue& queue) override {
        if (!access.first || access.pc == kNoPc)
            return;
        Entry& entry = table_[index_of(access)];
        const Address line = access.address >> shape_.line_shift;
        if (entry.pc != access.pc || entry.requester != access.requester) {
            entry = {access.pc, access.requester, 0, line, 0};
            return;
        }
        train(entry, line);
        if (entry.confidence < kConfident || entry.stride == 0)
            return;
        for (unsigned n = 0; n < shape_.degree; ++n)
            queue.ask((line + entry.stride * (shape_.distance + n)) << shape_.line_shift, access);
    }

private:
    static constexpr std::size_t kEntries = 256;
    static constexpr std::uint8_t kConfident = 2, kMost = 3;

    struct Entry {
        Pc pc = kNoPc;
        std::uint16_t requester = CacheAccess::kNoRequester;
        std::uint8_t confidence = 0; // a stride that came again counts up, another one down
        Address line = 0;            // the last
        Address stride = 0;          // in lines, modulo 2^64
    };

    static std::size_t index_of(const CacheAccess& access) {
        return (access.pc + std::size_t{access.requester} * 61) % kEntries;
    }
    static void train(Entry& entry, Address line) {
        const Address stride = line - entry.line;
        entry.line = line;
        if (stride == entry.stride)
            entry.confidence = std::min<std::uint8_t>(kMost, static_cast<std::uint8_t>(entry.confidence + 1));
        else if (entry.confidence != 0)
            --entry.confidence;
        else
            entry.stride = stride;
    }

    PrefetcherShape shape_;
    std::vector<Entry> table_;
};

HEDDLE_PREFETCHER(Stride, "stride",
                  "by PC and warp (in the last level, SM): once a stride has come again twice, prefetch_degree lines "
                  "from prefetch_distance strides on",
                  "Chen and Baer, IEEE ToC 1995; by warp: Lee et al., MICRO 2010");

} // namespace
} // namespace heddle::mem
