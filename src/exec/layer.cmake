heddle_layer(exec DEPENDS warp
  SOURCES memory_image.cpp row_vector.cpp
    executor.cpp launch.cpp control.cpp load_store.cpp lane_moves.cpp atomics.cpp special_registers.cpp warp_sync.cpp barrier.cpp fault.cpp
    vector_ops.cpp
  LIBRARIES PkgConfig::HWY)
