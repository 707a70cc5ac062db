heddle_layer(contract DEPENDS formation sched mem SOURCES formation.cpp prefetcher.cpp replacement.cpp scheduler.cpp
  ALONE formation.cpp prefetcher.cpp replacement.cpp scheduler.cpp)
