heddle_layer(ir DEPENDS ptx base
  SOURCES
    program.cpp lower.cpp disassemble.cpp
    isa/opcode.cpp isa/modifiers.cpp isa/forms.cpp isa/names.cpp isa/matrix.cpp isa/matrix_words.cpp
    selection/select.cpp selection/operands.cpp selection/alu.cpp selection/carry.cpp selection/elements.cpp
    selection/table.cpp selection/pointer.cpp selection/move.cpp selection/memory.cpp selection/async.cpp
    selection/barrier_object.cpp selection/texture.cpp selection/sync.cpp selection/matrix.cpp selection/wmma.cpp
    selection/control.cpp
    analysis/cfg.cpp analysis/dominators.cpp analysis/postdom.cpp analysis/loops.cpp analysis/sync_order.cpp
    analysis/liveness.cpp analysis/colour.cpp analysis/calls.cpp analysis/verify.cpp
    linking/layout.cpp linking/link.cpp
  ALONE isa/forms.cpp linking/link.cpp analysis/verify.cpp
  LIBRARIES Boost::graph)
