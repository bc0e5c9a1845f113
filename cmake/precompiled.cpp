// An empty source for the target of the precompiled headers, which cmake/BuildTime.cmake lists.
