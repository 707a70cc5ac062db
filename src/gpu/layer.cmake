heddle_layer(gpu REGISTERS DEPENDS sm SOURCES check.cpp cluster_limits.cpp gpu.cpp gpu_config.cpp record.cpp worker_pool.cpp
  LIBRARIES Threads::Threads)
