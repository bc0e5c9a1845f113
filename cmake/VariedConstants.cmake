# A copy of the engine whose constants can be multiplied at run time, for `./run ablation --constants`: the environment
# variable JOSTLE_VARIED_CONSTANT has the form NAME=FACTOR.
option(JOSTLE_VARIED_CONSTANTS "Let JOSTLE_VARIED_CONSTANT=NAME=FACTOR multiply a constant of the engine" OFF)
if(NOT JOSTLE_VARIED_CONSTANTS)
  return()
endif()

set(constants shared/physics/detail/constants.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${constants}")
file(READ "${PROJECT_SOURCE_DIR}/${constants}" text)
# The limits for callers' values, at the end, are not varied.
string(FIND "${text}" "// Limits for values set by callers" end)
string(SUBSTRING "${text}" ${end} -1 limits)
string(SUBSTRING "${text}" 0 ${end} text)
string(REGEX REPLACE "inline constexpr (float|int|double) ([a-z_]+) = ([^;\n]*);"
  "inline const \\1 \\2 = varied<\\1>(\"\\2\", \\3);" text "${text}")
string(REPLACE "#pragma once" "#pragma once\n#include \"bench/varied_constant.h\"" text "${text}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/varied/${constants}" CONTENT "${text}${limits}" @ONLY)
# -iquote folders are searched before all others.
target_compile_options(jostle_options INTERFACE "SHELL:-iquote ${PROJECT_BINARY_DIR}/varied")
