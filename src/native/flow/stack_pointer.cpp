#include "native/flow/stack_pointer.h"

#include <algorithm>

namespace heddle::native {

namespace {

bool is_target(const Function& function, std::uint32_t block) {
    return std::any_of(function.order.begin(), function.order.end(), [&](std::uint32_t b) {
        const std::vector<std::uint32_t> next = function.successors(b);
        return std::find(next.begin(), next.end(), block) != next.end();
    });
}

} // namespace

void read_stack_pointer(Function& function, const Target& target) {
    const std::uint32_t entry = function.order.front();
    if (is_target(function, entry)) {
        function.order.insert(function.order.begin(), static_cast<std::uint32_t>(function.blocks.size()));
        function.blocks.push_back({{}, entry});
    }
    std::vector<Instruction>& code = function.blocks[function.order.front()].code;
    Instruction read;
    read.op = target.loads_stack_pointer ? Op::LdcStack : Op::Mov;
    read.dst[0] = {.kind = Operand::Kind::Register, .number = kStackRegister};
    read.src[0] = {.kind = Operand::Kind::Constant, .value = kStackOffset};
    if (!code.empty())
        read.origins = code.front().origins;
    code.insert(code.begin(), read);
}

} // namespace heddle::native
