# Machine-like code from micro-ops, and its execution as micro-ops. It is a layer of its own above ir, beside warp: it
# needs the micro-ops and the analyses of ir alone, and no layer that executes needs its passes: runtime appends the
# micro-ops of native code to the program, with the control bits of each instruction.
heddle_layer(native DEPENDS ir
  SOURCES
    opcode.cpp routine.cpp target.cpp text.cpp function.cpp compile.cpp
    input/recover.cpp input/recursion.cpp input/call_cycles.cpp input/called_functions.cpp input/predicate_branches.cpp
    ssa/build.cpp ssa/simplify.cpp ssa/fold.cpp ssa/fold_floating.cpp ssa/dead_code.cpp ssa/merge_loads.cpp
    unroll/loops.cpp unroll/trips.cpp unroll/size.cpp unroll/code.cpp unroll/copy.cpp unroll/constant.cpp
    unroll/counted_block.cpp unroll/by_four.cpp
    selection/selector.cpp selection/values.cpp selection/integer.cpp selection/wide.cpp selection/logic.cpp
    selection/multiply.cpp selection/floating.cpp selection/convert.cpp selection/memory.cpp selection/copies.cpp selection/bulk.cpp
    selection/phase_test.cpp
    selection/warp.cpp selection/piece_address.cpp
    selection/control.cpp selection/division.cpp selection/functions.cpp selection/integer_division.cpp
    selection/phis.cpp
    flow/reconvergence.cpp flow/liveness.cpp flow/coalesce.cpp flow/clean.cpp flow/layout.cpp
    flow/stack_pointer.cpp flow/link.cpp
    uniform/analysis.cpp uniform/atomics.cpp uniform/select.cpp
    schedule/dependences.cpp schedule/list.cpp schedule/pipes.cpp
    registers/allocate.cpp registers/demand.cpp registers/granted.cpp registers/behind_calls.cpp registers/more_warps.cpp registers/rematerialize.cpp registers/spill.cpp
    execute/emitter.cpp execute/expand.cpp execute/integer.cpp execute/logic.cpp execute/floating.cpp
    execute/memory.cpp execute/source.cpp execute/work.cpp
    control/resources.cpp control/barriers.cpp control/stalls.cpp control/reuse.cpp control/check.cpp)
