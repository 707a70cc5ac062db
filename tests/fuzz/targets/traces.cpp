// Threads' traces on their way from the simulated program to `heddle oracle`.
#include "oracle/study.h"
#include "report/thread_traces.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::read_or_refuse([&] {
        for (const probe::LaunchTrace& launch : report::read_thread_traces(fuzz::text_of(data, size)))
            (void)oracle::study(launch);
    });
    return 0;
}
