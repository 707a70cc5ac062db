heddle_layer(oracle DEPENDS base probe SOURCES align.cpp basic_blocks.cpp merge.cpp pairing.cpp study.cpp)
