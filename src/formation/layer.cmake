heddle_layer(formation REGISTERS DEPENDS exec config stats probe SOURCES
  formation.cpp
  mimd.cpp
  pdom.cpp
  reconvergence_stack.cpp
  serial.cpp)
