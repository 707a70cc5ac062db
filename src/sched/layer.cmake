heddle_layer(sched REGISTERS DEPENDS exec config stats probe SOURCES
  scheduler.cpp
  rr.cpp)
