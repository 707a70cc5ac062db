heddle_layer(ir DEPENDS ptx SOURCES opcode.cpp program.cpp lower.cpp LIBRARIES Boost::graph)
