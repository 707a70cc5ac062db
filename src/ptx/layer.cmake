heddle_layer(ptx DEPENDS base SOURCES syntax.cpp lexer.cpp parser.cpp)
