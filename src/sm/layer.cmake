heddle_layer(sm REGISTERS DEPENDS formation sched mem SOURCES
  frame/block_table.cpp frame/core.cpp frame/core_config.cpp frame/fetch_unit.cpp frame/frame.cpp frame/instruction_l1.cpp frame/l1_config.cpp frame/memory_port.cpp
  frame/occupancy.cpp frame/stream_buffer.cpp frame/sync_unit.cpp frame/thread_contexts.cpp frame/thread_contexts_profile.cpp frame/thread_contexts_timeline.cpp
  frame/timed_core.cpp
  functional/functional.cpp
  load_store/access_profile.cpp load_store/address_unit.cpp load_store/bundle_stage.cpp load_store/cache_port.cpp load_store/coalescer.cpp
  load_store/data_cache.cpp load_store/data_stats.cpp load_store/divergence.cpp load_store/division.cpp load_store/load_store_unit.cpp
  load_store/store_table.cpp load_store/tma_unit.cpp
  single_issue/barrel.cpp single_issue/barrel_bundle.cpp single_issue/barrel_trace.cpp single_issue/single_issue.cpp
  single_issue/wpu.cpp
  sub_core/config.cpp sub_core/constant_cache.cpp sub_core/core.cpp sub_core/cycle_trace.cpp sub_core/decoded.cpp sub_core/front_end.cpp sub_core/idle.cpp sub_core/instruction_path.cpp
  sub_core/issue.cpp
  sub_core/issue_unit.cpp sub_core/memory.cpp sub_core/memory_stage.cpp sub_core/phase_tests.cpp sub_core/pipe_config.cpp sub_core/read_ports.cpp
  sub_core/scheduler_events.cpp
  sub_core/stall_account.cpp sub_core/stall_profile.cpp sub_core/sub_core.cpp sub_core/sub_groups.cpp sub_core/tensor_config.cpp sub_core/unit_states.cpp sub_core/warpgroup_products.cpp
  LIBRARIES PkgConfig::HWY)
