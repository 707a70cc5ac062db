// heddle test-policy: the contract checks over the policies of a plug-in.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "config/plugins.h"
#include "contract/contract.h"
#include "formation/formation.h"
#include "mem/cache/bypass.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"
#include "mem/dram/scheduler.h"
#include "mem/network/allocator.h"
#include "sched/scheduler.h"
#include "sm/frame/core.h"

namespace heddle::cli {

namespace {

class Session {
public:
    explicit Session(std::string plugin) : plugin_(std::move(plugin)) {}

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
            std::fflush(stdout); // if the check does not end, or ends this process, its predecessors are seen
            ++run_;
            try {
                check.run(name);
                ++passed_;
                fmt::print("  passed  {}\n", check.promise);
            } catch (const std::exception& e) {
                fmt::print("  FAILED  {}: {}\n", check.promise, e.what());
            }
        }
    }

    std::string plugin_;
    unsigned policies_ = 0, run_ = 0, passed_ = 0;
};

int test_policies(const std::string& file) {
    std::string plugin;
    try {
        plugin = config::load_plugin(file).name;
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
    Session session(plugin);
    session.test(sched::schedulers(), contract::scheduler_checks());
    session.test(formation::formations(), contract::formation_checks());
    session.test(mem::replacements(), contract::replacement_checks());
    session.test(mem::prefetchers(), contract::prefetcher_checks());
    session.test(mem::bypasses(), {});
    session.test(mem::dram_schedulers(), {});
    session.test(mem::crossbar_allocators(), {});
    session.test(sm::cores(), {});
    return session.report();
}

} // namespace

void add_test_policy(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "test-policy", "Checks the policies of a plug-in against their contracts: heddle test-policy FILE.so");
    const auto file = std::make_shared<std::string>();
    command->add_option("FILE", *file, "the plug-in, a shared object")->required();
    command->footer(
        "The checks call the policies by themselves, without a simulation; `heddle compare` runs programs.");
    command->callback([file, &status] { status = test_policies(*file); });
}

} // namespace heddle::cli
