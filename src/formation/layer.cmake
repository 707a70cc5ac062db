heddle_layer(formation DEPENDS exec config stats probe SOURCES
  formation.cpp
  pdom.cpp
  serial.cpp)
