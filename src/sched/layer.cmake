heddle_layer(sched REGISTERS DEPENDS exec config stats probe SOURCES
  scheduler.cpp
  gto.cpp
  rr.cpp
  srr.cpp
  two_level.cpp)
