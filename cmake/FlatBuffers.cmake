# jostle_flatbuffer_headers(target SCHEMAS schema.fbs ... OPTIONS ...) generates <name>_generated.h
# in the folder `generated` of the build tree, at the same path as the schema, and adds that folder
# to the include path of `target`. It uses the installed flatc, because generated code compiles only
# with the library of the same version. OPTIONS are passed to flatc.
function(jostle_flatbuffer_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 FBS "" "" "SCHEMAS;OPTIONS")
  set(outputs "")
  foreach(schema IN LISTS FBS_SCHEMAS)
    get_filename_component(name "${schema}" NAME_WE)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${schema}")
    get_filename_component(folder "${folder}" DIRECTORY)
    set(output "${PROJECT_BINARY_DIR}/generated/${folder}/${name}_generated.h")
    add_custom_command(OUTPUT "${output}"
      COMMAND ${FLATC} --cpp --cpp-std c++17 --scoped-enums --warnings-as-errors ${FBS_OPTIONS}
              -I "${PROJECT_SOURCE_DIR}" -o "${PROJECT_BINARY_DIR}/generated/${folder}"
              "${CMAKE_CURRENT_SOURCE_DIR}/${schema}"
      DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${schema}" VERBATIM
      COMMENT "flatc ${schema}")
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${target}_schemas DEPENDS ${outputs})
  add_dependencies(${target} ${target}_schemas)
  target_include_directories(${target} SYSTEM PRIVATE "${PROJECT_BINARY_DIR}/generated")
endfunction()
