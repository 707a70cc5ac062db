heddle_layer(warp DEPENDS ir)
