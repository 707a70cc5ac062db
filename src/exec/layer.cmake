heddle_layer(exec DEPENDS warp SOURCES memory_image.cpp executor.cpp vector_ops.cpp LIBRARIES PkgConfig::HWY)
