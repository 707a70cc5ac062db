heddle_layer(runtime REGISTERS DEPENDS gpu report SOURCES device.cpp module.cpp)
