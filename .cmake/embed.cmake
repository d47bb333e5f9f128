# fleetsim_embed(OUT_VARIABLE ROOT file...)
#
# Compiles text files into the binary: OUT_VARIABLE becomes the name of a generated .cpp that defines
#   namespace fleetsim { std::span<const EmbeddedFile> NAME(); }     with NAME = OUT_VARIABLE,
# one {path below ROOT, text} a file, in the order of the names. See sim/base/embedded.hpp.
function(fleetsim_embed name root)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(files ${ARGN})
  list(SORT files)
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DROOT=${root} "-DFILES=${joined}" -DOUTPUT=${output} -P
            ${CMAKE_SOURCE_DIR}/.cmake/embed-script.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/.cmake/embed-script.cmake
    VERBATIM)
  set(${name} ${output} PARENT_SCOPE)
endfunction()
