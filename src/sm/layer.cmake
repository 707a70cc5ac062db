heddle_layer(sm REGISTERS DEPENDS formation sched mem SOURCES
  barrel.cpp barrel_bundle.cpp barrel_trace.cpp block_table.cpp core.cpp core_config.cpp
  data_bundle.cpp data_coherence.cpp data_path.cpp data_prepare.cpp decoded.cpp divergence.cpp fetch_unit.cpp front_end.cpp
  functional.cpp memory_port.cpp occupancy.cpp residents.cpp residents_timeline.cpp scoreboard_config.cpp
  scoreboard_core.cpp scoreboard_issue.cpp scoreboard_memory.cpp scoreboard_stalls.cpp scoreboard_time.cpp scoreboard_trace.cpp store_table.cpp stream.cpp
  sync_unit.cpp
  timed_core.cpp wpu.cpp)
