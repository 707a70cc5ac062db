heddle_layer(sm REGISTERS DEPENDS formation sched mem SOURCES
  frame/block_table.cpp frame/core.cpp frame/core_config.cpp frame/fetch_unit.cpp frame/memory_port.cpp
  frame/occupancy.cpp frame/sync_unit.cpp frame/thread_contexts.cpp frame/thread_contexts_timeline.cpp
  frame/timed_core.cpp
  functional/functional.cpp
  load_store/bundles.cpp load_store/coalescer.cpp load_store/coherence.cpp load_store/divergence.cpp
  load_store/load_store_unit.cpp load_store/prepare.cpp load_store/store_table.cpp
  single_issue/barrel.cpp single_issue/barrel_bundle.cpp single_issue/barrel_trace.cpp single_issue/single_issue.cpp
  single_issue/wpu.cpp
  sub_core/decoded.cpp sub_core/front_end.cpp sub_core/scoreboard_config.cpp sub_core/scoreboard_core.cpp
  sub_core/scoreboard_issue.cpp sub_core/scoreboard_memory.cpp sub_core/scoreboard_stalls.cpp
  sub_core/scoreboard_time.cpp sub_core/scoreboard_trace.cpp
  LIBRARIES PkgConfig::HWY)
