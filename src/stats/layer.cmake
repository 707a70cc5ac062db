heddle_layer(stats DEPENDS base SOURCES registry.cpp tree.cpp snapshot.cpp output.cpp LIBRARIES nlohmann_json::nlohmann_json)
