heddle_layer(ptx
  DEPENDS base
  SOURCES
    syntax.cpp
    lexer.cpp
    constant.cpp
    scoped_names.cpp
    parser.cpp
    parse_module.cpp
    parse_constants.cpp
    parse_variables.cpp
    parse_initialisers.cpp
    parse_functions.cpp
    parse_instructions.cpp
  ALONE scoped_names.cpp parse_instructions.cpp)
