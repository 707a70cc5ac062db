heddle_layer(base SOURCES source.cpp suggest.cpp)
