heddle_layer(mem REGISTERS DEPENDS exec config stats SOURCES cache.cpp coalescer.cpp dram.cpp LIBRARIES PkgConfig::HWY)
