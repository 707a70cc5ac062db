// The parts that lower a function, for tests of one part.
#pragma once

#include <gtest/gtest.h>

#include "ir/selection/lowering.h"
#include "lowered.h"

namespace heddle::ir::test {

// The parts of the kernel k with this body (kernel_text()), at its first instruction.
class Parts {
public:
    explicit Parts(std::string_view body, std::string_view parameters = "", std::string_view module = "")
        : source_(std::make_shared<const SourceText>("t.ptx", kernel_text(body, parameters, module))),
          diagnostics_(source_), module_(ptx::parse(source_, diagnostics_)),
          names_(std::span(&module_, 1)), context_{names_, names_.units()[0], address_of_, diagnostics_},
          f(context_, *names_.functions()[*names_.units()[0].function("k")], draft) {
        EXPECT_EQ(diagnostics_.render(), "");
        f.cursor.move_to(0);
        f.emitter.begin_instruction();
    }

    // An operand of the current instruction as a source; its constant.
    [[nodiscard]] std::optional<Place> source(std::size_t operand, Type type, Width width = Width::Exact) {
        return f.operands.source(f.cursor.operand(operand), type, width);
    }
    [[nodiscard]] const Constant& constant(Place place) const {
        EXPECT_NE(place & kPool, 0U);
        return draft.constants.at(place & ~kPool);
    }
    [[nodiscard]] std::string errors() const {
        return diagnostics_.render();
    }

private:
    std::shared_ptr<const SourceText> source_;
    Diagnostics diagnostics_;
    ptx::Module module_;
    ModuleNames names_;
    VariableAddress address_of_ = [](const ptx::Variable&) { return kVariable; };
    Context context_;

public:
    Draft draft;
    FunctionLowering f;
};

} // namespace heddle::ir::test
