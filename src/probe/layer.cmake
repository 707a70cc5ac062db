heddle_layer(probe DEPENDS base)
