# fleetsim_room(NAME [OBJECT] DIRS dir... [SOURCES generated.cpp...] [ROOMS room...] [LIBS library...])
#
# One room of the house: every .cpp of DIRS becomes target fleetsim_NAME. ROOMS are rooms below it, which its
# headers may name; LIBS are third parties and stay invisible above. OBJECT rooms hold self-registering files:
# an archive would drop a registrar that nobody names, so executables take their objects whole.
function(fleetsim_room name)
  cmake_parse_arguments(ROOM "OBJECT" "" "DIRS;SOURCES;ROOMS;LIBS" ${ARGN})
  set(sources ${ROOM_SOURCES})
  # Generated ones are large or change often: each is compiled alone where others are joined.
  set_source_files_properties(${ROOM_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(dir ${ROOM_DIRS})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${dir}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  list(TRANSFORM ROOM_ROOMS PREPEND fleetsim_)
  set(target fleetsim_${name})
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${ROOM_ROOMS} fleetsim_options)
    return()
  endif()
  if(ROOM_OBJECT)
    add_library(${target} OBJECT ${sources})
    set_property(GLOBAL APPEND PROPERTY FLEETSIM_REGISTRARS ${target})
  else()
    add_library(${target} STATIC ${sources})
  endif()
  target_link_libraries(${target} PUBLIC ${ROOM_ROOMS} PRIVATE fleetsim_options ${ROOM_LIBS})
endfunction()
