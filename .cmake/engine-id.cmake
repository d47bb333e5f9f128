# Run at build time when a source changed: writes the .cpp of sim/study/engine_id.hpp. The id is a hash over the names
# and contents of the sources, in order of their names.
string(REPLACE "|" ";" files "${FILES}")
set(all "")
foreach(file ${files})
  file(RELATIVE_PATH path ${ROOT} ${file})
  file(SHA256 ${file} hash)
  string(APPEND all "${path} ${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING "${id}" 0 16 id)
set(body "#include \"sim/study/engine_id.hpp\"\n\nnamespace fleetsim {\nstd::string engine_id() {\n  return \"${id}\";\n}\n}  // namespace fleetsim\n")
# A file that does not change is not compiled again.
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${body}" @ONLY)
