// The source that a target needs; its headers are named in cmake/BuildTime.cmake.
