heddle_layer(sched REGISTERS DEPENDS exec config stats probe cost SOURCES
  scheduler.cpp
  dmaj.cpp
  dmin.cpp
  dpc.cpp
  dpdpri.cpp
  dtime.cpp
  gto.cpp
  gty.cpp
  guard.cpp
  pro.cpp
  pro_blocks.cpp
  rr.cpp
  srr.cpp
  swf.cpp
  tl.cpp
  two_level.cpp)
