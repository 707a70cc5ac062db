heddle_layer(mem REGISTERS DEPENDS exec config stats SOURCES
  address_map.cpp
  bank_timing.cpp
  cache.cpp
  coalescer.cpp
  dram.cpp
  dram_channel.cpp
  dram_config.cpp
  dram_queue.cpp
  dram_scheduler.cpp
  dram_schedulers/fcfs.cpp
  dram_schedulers/frfcfs.cpp
  simple_channel.cpp
  timed_channel.cpp
  LIBRARIES PkgConfig::HWY)
