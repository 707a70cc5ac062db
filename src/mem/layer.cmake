heddle_layer(mem REGISTERS DEPENDS exec config stats SOURCES cache.cpp coalescer.cpp dram.cpp
  crossbar.cpp allocator.cpp allocators/pim.cpp allocators/islip.cpp allocators/ideal.cpp interconnect_config.cpp
  LIBRARIES PkgConfig::HWY)
