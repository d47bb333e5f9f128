# Compiler settings that every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Release keeps FLEETSIM_ASSERT (it does not depend on NDEBUG).
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

option(FLEETSIM_WERROR "treat warnings as errors" OFF)
option(FLEETSIM_SANITIZE "address and undefined-behaviour sanitizers" OFF)
option(FLEETSIM_FUZZ "libFuzzer programs; needs clang" OFF)
option(FLEETSIM_BENCH "benchmarks" OFF)

add_library(fleetsim_options INTERFACE)
# A fused multiply-add rounds once where two instructions round twice: results would depend on the compiler.
target_compile_options(fleetsim_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion)
if(FLEETSIM_WERROR)
  target_compile_options(fleetsim_options INTERFACE -Werror)
endif()
if(FLEETSIM_SANITIZE)
  target_compile_options(fleetsim_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(fleetsim_options INTERFACE -fsanitize=address,undefined)
endif()
if(FLEETSIM_SANITIZE AND NOT FLEETSIM_FUZZ)
  # A check at every pointer that is followed: the address sanitizer sees the same faults, and a build takes a quarter longer.
  target_compile_options(fleetsim_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(FLEETSIM_FUZZ)
  target_compile_options(fleetsim_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(fleetsim_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_include_directories(fleetsim_options INTERFACE ${CMAKE_SOURCE_DIR})

# Some forty programs are linked where there are tests; binutils' gold needs a third of the time.
find_program(GOLD ld.gold)
if(GOLD AND NOT FLEETSIM_FUZZ)
  target_link_options(fleetsim_options INTERFACE -fuse-ld=gold)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
