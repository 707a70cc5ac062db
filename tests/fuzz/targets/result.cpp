// RESULT.json for `heddle report`: a page of the run alone, and one of the run beside itself.
#include <vector>

#include "report/run_page.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::read_or_refuse([&] {
        const report::StoredRun run = report::read_stored_run(fuzz::text_of(data, size), "input.json");
        (void)report::to_html(report::run_page(run), "");
        (void)report::to_html(report::compared_page(std::vector<report::StoredRun>{run, run}), "");
    });
    return 0;
}
