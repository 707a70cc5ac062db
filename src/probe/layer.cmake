heddle_layer(probe DEPENDS base SOURCES miss_intervals.cpp request_log.cpp residency.cpp thread_traces.cpp unit_spans.cpp)
