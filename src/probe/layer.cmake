heddle_layer(probe DEPENDS base SOURCES request_log.cpp residency.cpp unit_spans.cpp)
