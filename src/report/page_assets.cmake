# cmake -DOUT=page_assets.cpp -DDIR=src/report/page -P page_assets.cmake: writes the page's style and script as C++.
set(text "// Generated from src/report/page/.\n#include \"report/page_assets.h\"\n\nnamespace heddle::report::assets {\n")
foreach(asset page.css dark.css colours.js charts.js bars.js lines.js maps.js tables.js page.js source.css source.js)
  file(READ ${DIR}/${asset} content)
  string(REPLACE "." "_" name ${asset})
  string(APPEND text "\nconst std::string_view ${name} = R\"asset(${content})asset\";\n")
endforeach()
file(WRITE ${OUT} "${text}\n} // namespace heddle::report::assets\n")
