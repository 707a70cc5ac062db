// The parts that lower one function to its draft.
#pragma once

#include "ir/selection/context.h"
#include "ir/selection/cursor.h"
#include "ir/selection/draft.h"
#include "ir/selection/emitter.h"
#include "ir/selection/operands.h"
#include "ir/selection/places.h"
#include "ir/selection/variables.h"

namespace heddle::ir {

struct FunctionLowering {
    // The arguments outlive this object.
    FunctionLowering(const Context& context, const ptx::Function& function, Draft& draft)
        : context(context), draft(draft), cursor(context, function), places(draft), variables(context, cursor, draft),
          emitter(cursor, draft), operands(cursor, places, variables, emitter) {}
    FunctionLowering(const FunctionLowering&) = delete; // the parts refer to each other
    FunctionLowering& operator=(const FunctionLowering&) = delete;

    const Context& context;
    Draft& draft;
    Cursor cursor;
    Places places;
    Variables variables;
    Emitter emitter;
    Operands operands;
    Place stack_at_entry = kNowhere; // bytes in use when the function began; kNowhere: it allocates none
};

} // namespace heddle::ir
