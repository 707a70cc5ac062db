heddle_layer(sched DEPENDS exec config stats probe SOURCES
  scheduler.cpp
  rr.cpp)
