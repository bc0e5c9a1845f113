# cmake -D SOURCE_DIR=. -D OUTPUT=commit.cpp [-D COMMIT=abc] -P commit.cmake
#
# Writes the definition of commit::id(): COMMIT if it is set, otherwise the commit of the
# checkout at SOURCE_DIR, or "unknown" outside a checkout. " with local changes" is appended if
# tracked files are modified. OUTPUT is rewritten only if its text changes.
if(NOT COMMIT)
  set(COMMIT "unknown")
  find_program(GIT git)
  if(GIT AND EXISTS "${SOURCE_DIR}/.git")
    execute_process(COMMAND ${GIT} -C "${SOURCE_DIR}" rev-parse --short=12 HEAD
      OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(COMMIT "${head}")
      execute_process(COMMAND ${GIT} -C "${SOURCE_DIR}" status --porcelain --untracked-files=no
        OUTPUT_VARIABLE changes ERROR_QUIET)
      if(changes)
        string(APPEND COMMIT " with local changes")
      endif()
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#include \"shared/commit/commit.h\"

namespace jostle::commit {

std::string_view id() {
  return \"${COMMIT}\";
}

}  // namespace jostle::commit
")
