// Plans for `heddle work`.
#include "experiment/plan_file.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("plan.jsonl", data, size);
    fuzz::read_or_refuse([&] {
        for (const experiment::PlannedRun& one : experiment::read_plan(file, {}))
            (void)experiment::changed_since(one.run);
    });
    return 0;
}
