heddle_layer(gpu DEPENDS sm SOURCES gpu.cpp)
