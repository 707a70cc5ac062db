heddle_layer(cost DEPENDS base)
