#include "many_sms.h"

#include <gtest/gtest.h>

namespace heddle::runtime {

Outcome run_anyhow(const RunSetup& setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    LoadedKernel kernel(setup, body);
    Outcome out;
    try {
        for (unsigned i = 0; i < setup.launches; ++i)
            kernel.launch(threads, blocks);
    } catch (const Fault& fault) {
        out.error = fault.what();
    }
    out.result = nlohmann::json::parse(kernel.device.result_json());
    out.result.erase("host");
    out.result["config"].erase("gpu.sm_order");
    out.words = kernel.words();
    return out;
}

Outcome in_every_order(RunSetup setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    setup.settings.emplace_back("gpu.sm_order=ascending");
    const Outcome ascending = run_anyhow(setup, body, threads, blocks);
    const auto demand_the_same = [&](const std::string& how) {
        const Outcome other = run_anyhow(setup, body, threads, blocks);
        EXPECT_EQ(other.error, ascending.error) << setup.machine << ", " << how;
        EXPECT_EQ(other.words, ascending.words) << setup.machine << ", " << how;
        EXPECT_EQ(other.result, ascending.result) << setup.machine << ", " << how;
    };
    for (const std::string order : {"descending", "shuffled"}) {
        setup.settings.back() = "gpu.sm_order=" + order;
        demand_the_same(order);
    }
    setup.options.host_threads = 3;
    demand_the_same("3 host threads");
    return ascending;
}

} // namespace heddle::runtime
