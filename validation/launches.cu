// Empty kernels, one after the other in a stream. `heddle validate --workloads` takes the cycles of one from here.

#include "measure.h"

namespace {

__global__ void nothing() {}

} // namespace

int main(int argument_count, char** words) {
    const unsigned count = 32 * validation::times_the_work(argument_count, words);
    validation::Timer timer;
    nothing<<<1, 32>>>();
    timer.begin();
    for (unsigned i = 0; i < count; ++i)
        nothing<<<1, 32>>>();
    validation::report("launch.back_to_back", timer.end() / count / 1000, "us");
}
