heddle_layer(formation REGISTERS DEPENDS exec config stats probe cost SOURCES
  formation.cpp
  dwf.cpp
  dwf_tables.cpp
  lwm.cpp
  lwm_config.cpp
  maws.cpp
  maws_config.cpp
  maws_meetings.cpp
  mimd.cpp
  pdom.cpp
  reconvergence_stack.cpp
  row_stack.cpp
  serial.cpp
  spin_watch.cpp
  tbc.cpp
  tbc_config.cpp
  warp_splits.cpp)
