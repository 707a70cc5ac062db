heddle_layer(formation REGISTERS DEPENDS exec config stats probe SOURCES
  formation.cpp
  lwm.cpp
  pdom.cpp
  reconvergence_stack.cpp
  serial.cpp
  tbc.cpp)
