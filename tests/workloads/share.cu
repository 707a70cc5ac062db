// share_of: the shares of four threads, against lists worked out by hand.

#include "common/check.h"
#include "common/device.h"

using workload::Deal;

__global__ void record_shares(int* shares, int items, Deal deal) {
    const workload::Share share = workload::share_of(items, deal);
    int* const own = shares + 3 * workload::thread_index();
    own[0] = share.first;
    own[1] = share.end;
    own[2] = share.step;
}

int main() {
    constexpr int kMany = 1 << 30;
    struct {
        const char* what;
        int items;
        Deal deal;
        std::vector<int> expected; ///< first, end and step of threads 0 to 3
    } const cases[] = {
        // 10 t / 4 is 0, 2.5, 5, 7.5, 10.
        {"10 in tiles", 10, Deal::Tiles, {0, 2, 1, 2, 5, 1, 5, 7, 1, 7, 10, 1}},
        {"10 in turns", 10, Deal::Turns, {0, 10, 4, 1, 10, 4, 2, 10, 4, 3, 10, 4}},
        {"4 in tiles", 4, Deal::Tiles, {0, 1, 1, 1, 2, 1, 2, 3, 1, 3, 4, 1}},
        {"2 in tiles", 2, Deal::Tiles, {0, 1, 1, 1, 2, 1, 2, 2, 1, 2, 2, 1}},
        {"none in tiles", 0, Deal::Tiles, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}},
        // Three times 2^30 does not fit in an int.
        {"many in tiles",
         kMany,
         Deal::Tiles,
         {0, kMany / 4, 1, kMany / 4, kMany / 2, 1, kMany / 2, 3 * (kMany / 4), 1, 3 * (kMany / 4), kMany, 1}},
    };
    workload::Check check;
    for (const auto& one : cases) {
        workload::DeviceArray<int> shares(one.expected.size());
        record_shares<<<2, 2>>>(shares.data(), one.items, one.deal);
        workload::finish_kernels();
        check.equal(one.what, shares.to_host(), one.expected);
    }
    return check.finish();
}
