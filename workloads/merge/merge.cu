// Merge sort of integers, from the bottom up: every thread sorts short runs by insertion, then each pass merges pairs
// of runs into runs of twice the length, from one buffer into the other, one kernel a pass.
//
// A pass is dealt to the threads in pieces of the output. Where a pair of runs is longer than a piece, a binary search
// finds which elements of the two runs a piece is made of (the "merge path"), so that the last passes, which have few
// pairs, keep as many threads busy as the first ones.
//
// The element taken of two runs is settled by a branch, whose sides meet again after each element: the non-loop
// branches of MAWS Table 2, which diverge often.

#include <algorithm>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kRun = 8;    ///< elements of a run that a thread sorts by insertion: a line of the MAWS D-caches
constexpr int kPiece = 64; ///< elements of the output that a thread merges at a time
constexpr int kLast = 0x7fffffff;
static_assert(kPiece % (2 * kRun) == 0 && (kPiece / kRun & (kPiece / kRun - 1)) == 0, "a piece lies in one pair");

// ---- device ----

__global__ void sort_runs(int* values, int count, workload::Deal deal) {
    const workload::Share share = workload::share_of((count + kRun - 1) / kRun, deal);
    for (int run = share.first; run < share.end; run += share.step) {
        const int begin = run * kRun;
        const int end = min(begin + kRun, count);
#pragma unroll 1
        for (int next = begin + 1; next < end; ++next) {
            const int value = values[next];
            int place = next;
#pragma unroll 1
            while (place > begin && values[place - 1] > value) {
                values[place] = values[place - 1];
                --place;
            }
            values[place] = value;
        }
    }
}

/// How many of the first `taken` elements of the merged output come from the left run; of equal elements those of the
/// left run come first.
__device__ inline int taken_from_left(const int* left, int left_count, const int* right, int right_count, int taken) {
    int least = max(0, taken - right_count);
    int most = min(taken, left_count);
#pragma unroll 1
    while (least < most) {
        const int middle = (least + most) / 2;
        if (left[middle] <= right[taken - 1 - middle])
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

/// Writes the `count` least elements of two ascending ranges. An element is loaded when the one before it has been
/// written. A range at its end counts as holding kLast: if the other still has some of those, it does not matter whose
/// are written.
__device__ inline void merge_ranges(int* out, int count, const int* left, const int* left_end, const int* right,
                                    const int* right_end) {
    int from_left = left < left_end ? *left : kLast;
    int from_right = right < right_end ? *right : kLast;
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
        if (from_left <= from_right) {
            out[i] = from_left;
            ++left;
            from_left = left < left_end ? *left : kLast;
        } else {
            out[i] = from_right;
            ++right;
            from_right = right < right_end ? *right : kLast;
        }
    }
}

/// One pass: pairs of sorted runs of `width` elements in `from` become runs of 2 * width in `to`; the last run may be
/// shorter, or have no partner.
__global__ void merge_runs(int* to, const int* from, int count, int width, workload::Deal deal) {
    const int piece = min(2 * width, kPiece);
    const workload::Share share = workload::share_of((count + piece - 1) / piece, deal);
    for (int i = share.first; i < share.end; i += share.step) {
        const int start = i * piece;
        const int pair = start / (2 * width) * (2 * width);
        const int left_count = min(width, count - pair);
        const int right_count = min(width, count - pair - left_count);
        const int* const left = from + pair;
        const int* const right = left + left_count;
        const int begin = start - pair;
        const int length = min(piece, left_count + right_count - begin);
        const int from_left = taken_from_left(left, left_count, right, right_count, begin);
        merge_ranges(to + start, length, left + from_left, left + left_count, right + (begin - from_left),
                     right + right_count);
    }
}

/// The sorted values; `passes` becomes the number of merges of the whole array.
std::vector<int> sorted(const std::vector<int>& values, const workload::Grid& grid, workload::Deal deal, int& passes) {
    const int count = static_cast<int>(values.size());
    workload::DeviceArray<int> first(values);
    workload::DeviceArray<int> second(values.size());
    second.fill_bytes(0xff); // an element that no thread writes shall not pass
    sort_runs<<<grid.blocks, grid.block>>>(first.data(), count, deal);
    workload::finish_kernels();

    workload::DeviceArray<int>* from = &first;
    workload::DeviceArray<int>* to = &second;
    passes = 0;
    for (int width = kRun; width < count; width *= 2) {
        merge_runs<<<grid.blocks, grid.block>>>(to->data(), from->data(), count, width, deal);
        workload::finish_kernels();
        std::swap(from, to);
        ++passes;
    }
    return from->to_host();
}

int main(int argc, char** argv) {
    workload::CommandLine line("merge", "Merge sort of integers",
                               {{"maws",
                                 {300'000, workload::kDeviceThreads, 1},
                                 {10'000, workload::kDeviceThreads, 1},
                                 workload::Deal::Tiles}});
    // Indices reach 2 * size beyond the last element and must stay below 2^31.
    line.size("integers to sort", 1, 1u << 26).threads().block().seed().deal();
    const workload::Options options = line.parse(argc, argv);

    // Half of the integers below zero, and some that are equal.
    const auto count = static_cast<std::uint32_t>(options.amount.size);
    workload::Random random(options.seed);
    std::vector<int> values(count);
    for (int& value : values)
        value = static_cast<int>(random.below(count)) - static_cast<int>(count / 2);

    const workload::Grid grid = workload::grid_for(options, (count + kRun - 1) / kRun);
    int passes = 0;
    const std::vector<int> got = sorted(values, grid, options.deal, passes);

    // Equal to what the library sorts, so ascending and a permutation of the input.
    std::sort(values.begin(), values.end());
    workload::Check check;
    check.equal("sorted", got, values);
    std::printf("merge: %u threads, %u integers, %d passes\n", grid.threads(), count, passes);
    return check.finish();
}
