// heddle test-policy: the contract checks over the policies of a plug-in.
#include <memory>

#include <fmt/format.h>

#include "check_process.h"
#include "command.h"
#include "config/plugins.h"
#include "contract/contract.h"
#include "core_checks.h"
#include "experiment/workload_set.h"
#include "formation/formation.h"
#include "mem/cache/bypass.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "mem/dram/scheduler.h"
#include "mem/network/allocator.h"
#include "sched/scheduler.h"
#include "sm/frame/core.h"
#include "workloads.h"

namespace heddle::cli {

namespace {

class Session {
public:
    Session(std::string plugin, unsigned seconds) : plugin_(std::move(plugin)), seconds_(seconds) {}

    // The policies that the plug-in has put into a registry.
    template <class T, class... Args>
    void test(const Registry<T, Args...>& registry, std::span<const contract::Check> checks) {
        for (const auto& [name, entry] : registry.entries())
            if (entry.plugin == plugin_)
                test(registry.kind(), name, checks);
    }

    [[nodiscard]] int report() const {
        if (policies_ == 0)
            throw UserError(fmt::format("the plug-in {} has registered no policy", plugin_));
        fmt::print("{} of {} checks passed\n", passed_, run_);
        return passed_ == run_ ? 0 : kFailed;
    }

private:
    void test(const std::string& kind, const std::string& name, std::span<const contract::Check> checks) {
        ++policies_;
        fmt::print("{} {}\n", kind, name);
        if (checks.empty())
            fmt::print("  there are no checks for this kind\n");
        for (const contract::Check& check : checks) {
            ++run_;
            if (const auto broken = run_in_process([&] { check.run(name); }, seconds_)) {
                fmt::print("  FAILED  {}: {}\n", check.promise, *broken);
            } else {
                ++passed_;
                fmt::print("  passed  {}\n", check.promise);
            }
        }
    }

    std::string plugin_;
    unsigned seconds_; // of processor time for a check
    unsigned policies_ = 0, run_ = 0, passed_ = 0;
};

struct TestPolicyOptions {
    std::string file;
    unsigned seconds = 10; // a check of heddle's own policies takes below one
};

int test_policies(const TestPolicyOptions& options) {
    std::string plugin;
    try {
        plugin = config::load_plugin(options.file).name;
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
    Session session(plugin, options.seconds);
    session.test(sched::schedulers(), contract::scheduler_checks());
    session.test(formation::formations(), contract::formation_checks());
    session.test(mem::replacements(), contract::replacement_checks());
    session.test(mem::prefetchers(), contract::prefetcher_checks());
    session.test(mem::bypasses(), {});
    session.test(mem::dram_schedulers(), {});
    session.test(mem::crossbar_allocators(), {});
    session.test(sm::cores(), core_checks());
    session.test(experiment::workload_sets(), workload_checks());
    return session.report();
}

} // namespace

void add_test_policy(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "test-policy", "Checks the policies of a plug-in against their contracts: heddle test-policy FILE.so");
    const auto options = std::make_shared<TestPolicyOptions>();
    command->add_option("FILE", options->file, "the plug-in, a shared object")->required();
    command->add_option("--limit", options->seconds, "processor time of a check, after which it has failed")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    command->footer(
        "The checks call the policies by themselves, without a simulation; `heddle compare` runs programs. Each check "
        "is "
        "a process of its own, so that one that crashes or does not end is reported like any other that fails.");
    command->callback([options, &status] { status = test_policies(*options); });
}

} // namespace heddle::cli
