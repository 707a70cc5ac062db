heddle_layer(ir DEPENDS ptx base
  SOURCES
    program.cpp lower.cpp disassemble.cpp
    isa/opcode.cpp isa/modifiers.cpp isa/forms.cpp isa/names.cpp isa/matrix.cpp isa/matrix_words.cpp isa/access_rules.cpp isa/page.cpp
    selection/select.cpp selection/stack.cpp selection/choose_form.cpp selection/make_op.cpp selection/cursor.cpp selection/places.cpp
    selection/variables.cpp selection/emitter.cpp selection/operands.cpp selection/special_register.cpp
    selection/memory_operands.cpp selection/matrix_operands.cpp selection/sequences.cpp selection/reductions.cpp selection/wide_registers.cpp selection/formals.cpp
    selection/alu.cpp selection/carry.cpp selection/elements.cpp selection/video.cpp selection/move.cpp selection/convert.cpp
    selection/convert_bounded.cpp
    selection/memory.cpp selection/async.cpp selection/barrier_object.cpp selection/opaque_operands.cpp selection/texture.cpp selection/texture_query.cpp selection/surface_reduction.cpp selection/sync.cpp
    selection/clusters.cpp selection/store_async.cpp selection/bulk.cpp selection/tensor_map.cpp selection/hopper_hints.cpp
    selection/matrix.cpp selection/matrix_product.cpp selection/matrix_moves.cpp selection/wmma.cpp selection/wgmma.cpp
    selection/control.cpp selection/calls.cpp
    analysis/cfg.cpp analysis/dominators.cpp analysis/postdom.cpp analysis/loops.cpp analysis/sync_order.cpp
    analysis/liveness.cpp analysis/colour.cpp analysis/calls.cpp analysis/verify.cpp
    linking/layout.cpp linking/link.cpp
  ALONE isa/forms.cpp linking/link.cpp analysis/verify.cpp
  LIBRARIES Boost::graph)
