heddle_layer(gpu REGISTERS DEPENDS sm SOURCES gpu.cpp gpu_config.cpp record.cpp team.cpp
  LIBRARIES Threads::Threads)
