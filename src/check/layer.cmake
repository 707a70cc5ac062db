heddle_layer(check DEPENDS base
  SOURCES barrier_check.cpp checker.cpp checks.cpp event_log.cpp findings.cpp history.cpp thread_clocks.cpp vector_clock.cpp
    word_shadow.cpp written_bytes.cpp)
