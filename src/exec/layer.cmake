heddle_layer(exec DEPENDS warp check
  SOURCES memory_image.cpp row_vector.cpp
    storage.cpp thread_table.cpp program_text.cpp bound_program.cpp row_prefetch.cpp launch_state.cpp fault_report.cpp policy_fault.cpp
    executor.cpp step_execution.cpp observer.cpp control.cpp special_registers.cpp barrier.cpp system_calls.cpp device_printf.cpp
    address_ranges.cpp space_queries.cpp async_copy.cpp bulk_copy.cpp global_bytes.cpp tensor_map.cpp load_store.cpp scattered.cpp lane_moves.cpp atomics.cpp window_log.cpp
    texel_array.cpp texture.cpp cube.cpp footprint.cpp texture_objects.cpp texture_access.cpp texture_queries.cpp surface_access.cpp
    warp_lanes.cpp lane_exchange.cpp warp_sync.cpp matrix.cpp matrix_positions.cpp matrix_product.cpp matrix_moves.cpp
    shared_tile.cpp
    vector_ops.cpp
    ops/predicate.cpp ops/move.cpp ops/int_arith.cpp ops/carry.cpp ops/int_pairs.cpp ops/bits.cpp ops/lop3.cpp ops/elements.cpp ops/video.cpp ops/compare.cpp ops/float_arith.cpp
    ops/float_misc.cpp ops/convert.cpp ops/convert_bounded.cpp ops/convert_int.cpp ops/convert_float.cpp ops/approximate.cpp
    ops/half_arith.cpp ops/half_compare.cpp ops/half_convert.cpp ops/half_approximate.cpp ops/reduce_angle.cpp
  ALONE row_vector.cpp
  LIBRARIES PkgConfig::HWY)

# Register-to-register operations: one file a family, each compiled for every instruction set (Highway's
# foreach_target). Exactness rests on the flags: no contraction to fma; errno and floating-point exception flags,
# which nothing reads, must not keep loops from being vectorised.
set(HEDDLE_VECTOR_OPS int_arith int_pairs carry bits lop3 elements compare move float_arith float_misc convert_int convert_float approximate
  half_arith half_compare half_convert half_approximate)
foreach(family ${HEDDLE_VECTOR_OPS})
  set_source_files_properties(exec/ops/${family}.cpp PROPERTIES COMPILE_OPTIONS
    "-ffp-contract=off;-fno-math-errno;-fno-trapping-math;$<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>")
endforeach()
