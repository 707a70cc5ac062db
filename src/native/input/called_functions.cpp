#include "native/input/called_functions.h"

#include <algorithm>
#include <map>

#include "native/input/call_cycles.h"

namespace heddle::native {

namespace {

class CallGraph {
public:
    CallGraph(const ir::Program& program, const ir::Kernel& kernel) : program_(program) {
        visit(program.origins[kernel.entry].function);
    }

    // Of the kernel, with the functions in the place of all calls. No function calls itself.
    [[nodiscard]] std::size_t size_in_place() const {
        return size_.at(finished_.back());
    }

    [[nodiscard]] std::vector<std::uint32_t> called_twice() const {
        std::vector<std::uint32_t> out;
        std::copy_if(finished_.rbegin(), finished_.rend(), std::back_inserter(out), [&](std::uint32_t f) {
            const auto found = sites_.find(f);
            return found != sites_.end() && found->second > 1;
        });
        return out;
    }

private:
    void visit(std::uint32_t number) {
        const ir::Function& function = program_.functions[number];
        std::size_t size = function.end - function.begin;
        for (Pc pc = function.begin; pc < function.end; ++pc) {
            const ir::MicroOp& op = program_.ops[pc];
            if (op.kind != ir::Kind::Call)
                continue;
            const std::uint32_t callee = program_.origins[op.target].function;
            ++sites_[callee];
            if (!size_.contains(callee))
                visit(callee);
            size += size_.at(callee);
        }
        size_[number] = size;
        finished_.push_back(number);
    }

    const ir::Program& program_;
    std::map<std::uint32_t, std::size_t> size_;  // by function
    std::map<std::uint32_t, std::size_t> sites_; // by function: calls of it in the text
    std::vector<std::uint32_t> finished_;        // each behind all that it calls
};

} // namespace

std::vector<std::uint32_t> called_functions(const ir::Program& program, const ir::Kernel& kernel,
                                            std::size_t in_place) {
    if (CallCycles(program, kernel).any())
        return {};
    const CallGraph graph(program, kernel);
    return graph.size_in_place() <= in_place ? std::vector<std::uint32_t>() : graph.called_twice();
}

} // namespace heddle::native
