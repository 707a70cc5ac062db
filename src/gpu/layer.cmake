heddle_layer(gpu REGISTERS DEPENDS sm SOURCES gpu.cpp gpu_config.cpp record.cpp worker_pool.cpp
  LIBRARIES Threads::Threads)
