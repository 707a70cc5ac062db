#include "device_graphs.h"

#include <algorithm>
#include <deque>

using namespace heddle::cudart;
using heddle::runtime::GraphLaunch;
using heddle::runtime::GraphLauncher;

namespace {

std::uint64_t handle_of(cudaGraphExec_t exec) {
    return reinterpret_cast<std::uint64_t>(exec);
}

struct Running {
    cudaGraphExec_t exec;
    std::vector<cudaGraphExec_t> behind; // what its kernels have left for its end
};

// Of this thread, the innermost last. A kernel's launches of graphs are executed by the thread that has launched it.
std::vector<Running>& running() {
    thread_local std::vector<Running> all;
    return all;
}
// Graphs of this thread that wait for the end of others.
std::deque<cudaGraphExec_t>& waiting() {
    thread_local std::deque<cudaGraphExec_t> all;
    return all;
}

bool is_in_use(cudaGraphExec_t exec) {
    const auto uses = [&](const Running& each) {
        return each.exec == exec || std::find(each.behind.begin(), each.behind.end(), exec) != each.behind.end();
    };
    return std::any_of(running().begin(), running().end(), uses) ||
           std::find(waiting().begin(), waiting().end(), exec) != waiting().end();
}

bool is_for_device(const CUgraphExec_st& exec) {
    return (exec.flags & cudaGraphInstantiateFlagDeviceLaunch) != 0 && exec.is_uploaded;
}

// False: the kernel has no such parameter.
bool change(const Step& step, const GraphLauncher::Update& update) {
    using Field = GraphLauncher::Update::Field;
    DeviceChanges& changes = *step.changes;
    if (update.field == Field::Enabled) {
        changes.is_enabled = update.enabled;
        return true;
    }
    const auto fresh = copy_of(changes.call != nullptr ? *changes.call : *std::get<KernelTask>(step.task));
    std::vector<std::byte>& all = fresh->arguments;
    if (update.field == Field::Grid)
        fresh->grid = dim3(update.grid.x, update.grid.y, update.grid.z);
    else if (update.offset > all.size() || update.bytes.size() > all.size() - update.offset)
        return false;
    else
        std::copy(update.bytes.begin(), update.bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(update.offset));
    changes.call = fresh;
    return true;
}

class Launcher final : public GraphLauncher {
public:
    [[nodiscard]] std::uint64_t current() const override {
        return running().empty() ? 0 : handle_of(running().back().exec);
    }
    [[nodiscard]] std::uint64_t current_for_device() const override {
        return running().empty() || !is_for_device(*running().back().exec) ? 0 : current();
    }
    [[nodiscard]] std::vector<Graph> launchable() const override {
        std::vector<Graph> out;
        each_executable([&](CUgraphExec_st& exec) {
            if (is_for_device(exec))
                out.push_back({handle_of(&exec), is_in_use(&exec)});
        });
        return out;
    }
    bool launch(std::uint64_t graph, GraphLaunch how) override {
        auto* const exec = reinterpret_cast<cudaGraphExec_t>(graph);
        if (!is_executable(exec) || running().empty())
            return false;
        if (how != GraphLaunch::Tail)
            return perform_graph(exec, exec->plan) == cudaSuccess;
        running().back().behind.push_back(exec);
        return true;
    }
    bool update(const Update& update) override {
        const auto* const node = reinterpret_cast<const CUgraphNode_st*>(update.node);
        bool done = false;
        each_executable([&](CUgraphExec_st& exec) {
            const Step* const step = find_step(exec.plan, node);
            done |= step != nullptr && step->changes != nullptr && change(*step, update);
        });
        return done;
    }
};

// Executes one graph. What it has left for its end is put before what waits already.
cudaError_t perform_one(cudaGraphExec_t exec, const Plan& plan) {
    running().push_back({exec, {}});
    const cudaError_t error = perform(plan);
    const std::vector<cudaGraphExec_t> behind = std::move(running().back().behind);
    running().pop_back();
    waiting().insert(waiting().begin(), behind.begin(), behind.end());
    return error;
}

} // namespace

GraphLauncher& heddle::cudart::graph_launcher() {
    static Launcher launcher;
    return launcher;
}

cudaError_t heddle::cudart::perform_graph(cudaGraphExec_t exec, const Plan& plan) {
    const std::size_t before = waiting().size();
    cudaError_t error = perform_one(exec, plan);
    while (waiting().size() > before) {
        auto* const next = waiting().front();
        waiting().pop_front();
        if (error != cudaSuccess || !is_executable(next))
            continue;
        const Plan its = next->plan;
        error = perform_one(next, its);
    }
    return error;
}
