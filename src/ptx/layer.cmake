heddle_layer(ptx
  DEPENDS base
  SOURCES
    syntax.cpp
    lexer.cpp
    constant.cpp
    debug_names.cpp
    scoped_names.cpp
    token_cursor.cpp
    declarations.cpp
    body_scopes.cpp
    parse_constants.cpp
    parse_directives.cpp
    parse_initialisers.cpp
    parse_variables.cpp
    parse_operands.cpp
    parse_instructions.cpp
    parse_head_directives.cpp
    parse_bodies.cpp
    parse_functions.cpp
    parse_module.cpp
    parser.cpp
  ALONE scoped_names.cpp)
