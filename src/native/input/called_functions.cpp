#include "native/input/called_functions.h"

#include <algorithm>
#include <map>

#include "native/input/call_cycles.h"

namespace heddle::native {

namespace {

class CallGraph {
public:
    CallGraph(const ir::Program& program, const ir::Kernel& kernel) : program_(program), cycles_(program, kernel) {
        visit(program.origins[kernel.entry].function);
    }

    // Of the kernel, with the functions in the place of all calls from outside of their cycle.
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
    // A function that is in a cycle has the code of all of them.
    void visit(std::uint32_t number) {
        std::vector<std::uint32_t> members = cycles_.of(number);
        if (members.empty())
            members = {number};
        std::size_t size = 0;
        for (const std::uint32_t f : members) {
            const ir::Function& function = program_.functions[f];
            size += function.end - function.begin;
            for (Pc pc = function.begin; pc < function.end; ++pc)
                if (const ir::MicroOp& op = program_.ops[pc]; op.kind == ir::Kind::Call)
                    size += visit_callee(program_.origins[op.target].function, members);
        }
        for (const std::uint32_t f : members) {
            size_[f] = size;
            finished_.push_back(f);
        }
    }

    // The micro-ops that it has in the place of the call.
    std::size_t visit_callee(std::uint32_t callee, const std::vector<std::uint32_t>& of_caller) {
        if (std::binary_search(of_caller.begin(), of_caller.end(), callee))
            return 0;
        ++sites_[callee];
        if (!size_.contains(callee))
            visit(callee);
        return size_.at(callee);
    }

    const ir::Program& program_;
    const CallCycles cycles_;
    std::map<std::uint32_t, std::size_t> size_;  // by function
    std::map<std::uint32_t, std::size_t> sites_; // by function: calls of it in the text, from outside of its cycle
    std::vector<std::uint32_t> finished_;        // each behind all that it calls
};

} // namespace

std::vector<std::uint32_t> called_functions(const ir::Program& program, const ir::Kernel& kernel,
                                            std::size_t in_place) {
    const CallGraph graph(program, kernel);
    return graph.size_in_place() <= in_place ? std::vector<std::uint32_t>() : graph.called_twice();
}

} // namespace heddle::native
