heddle_layer(sm REGISTERS DEPENDS formation sched mem SOURCES
  barrel.cpp block_table.cpp core.cpp core_config.cpp data_path.cpp data_prepare.cpp fetch_unit.cpp functional.cpp
  memory_port.cpp occupancy.cpp residents.cpp store_table.cpp sync_unit.cpp)
