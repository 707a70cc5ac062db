heddle_layer(mem DEPENDS exec config stats SOURCES cache.cpp coalescer.cpp dram.cpp LIBRARIES PkgConfig::HWY)
