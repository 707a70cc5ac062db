heddle_layer(ir DEPENDS ptx base
  SOURCES
    opcode.cpp program.cpp modifiers.cpp forms.cpp names.cpp
    select.cpp operands.cpp select_alu.cpp select_carry.cpp select_elements.cpp select_table.cpp select_pointer.cpp select_move.cpp select_memory.cpp select_async.cpp select_barrier_object.cpp select_texture.cpp select_sync.cpp select_matrix.cpp select_wmma.cpp matrix_words.cpp matrix.cpp select_control.cpp
    layout.cpp cfg.cpp dominators.cpp postdom.cpp loops.cpp sync_order.cpp liveness.cpp colour.cpp calls.cpp link.cpp verify.cpp disassemble.cpp lower.cpp
  LIBRARIES Boost::graph)
