# Policies and settings register themselves when the program starts: their layers are linked whole.
heddle_layer(runtime DEPENDS gpu report SOURCES device.cpp module.cpp)
foreach(layer formation sched mem sm gpu)
  target_link_libraries(heddle_runtime PUBLIC "$<LINK_LIBRARY:WHOLE_ARCHIVE,heddle_${layer}>")
endforeach()
