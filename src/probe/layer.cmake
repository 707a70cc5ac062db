heddle_layer(probe DEPENDS base SOURCES divergences.cpp miss_intervals.cpp request_log.cpp residency.cpp sm_profile.cpp thread_traces.cpp unit_spans.cpp)
