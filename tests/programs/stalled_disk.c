/* A library for LD_PRELOAD that stalls a program's disk: while the file named by STALL_FILE exists,
 * all calls that change a file or the names in a folder wait. Pipes, sockets and terminals are not
 * affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char* const path = getenv("STALL_FILE");
  while (path != NULL && access(path, F_OK) == 0)
    usleep(10000);
}

static void wait_for_file(int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode)))
    wait_for_disk();
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void* bytes, size_t count) {
  wait_for_file(descriptor);
  return NEXT(write)(descriptor, bytes, count);
}
ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  wait_for_file(descriptor);
  return NEXT(writev)(descriptor, parts, count);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  wait_for_file(descriptor);
  return NEXT(pwrite)(descriptor, bytes, count, offset);
}
int fsync(int descriptor) {
  wait_for_file(descriptor);
  return NEXT(fsync)(descriptor);
}
int fdatasync(int descriptor) {
  wait_for_file(descriptor);
  return NEXT(fdatasync)(descriptor);
}
int ftruncate(int descriptor, off_t length) {
  wait_for_file(descriptor);
  return NEXT(ftruncate)(descriptor, length);
}
int rename(const char* from, const char* to) {
  wait_for_disk();
  return NEXT(rename)(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  wait_for_disk();
  return NEXT(renameat)(from_folder, from, to_folder, to);
}
int unlink(const char* path) {
  wait_for_disk();
  return NEXT(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) {
  wait_for_disk();
  return NEXT(unlinkat)(folder, path, flags);
}
int mkdir(const char* path, mode_t mode) {
  wait_for_disk();
  return NEXT(mkdir)(path, mode);
}
int mkdirat(int folder, const char* path, mode_t mode) {
  wait_for_disk();
  return NEXT(mkdirat)(folder, path, mode);
}
static mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  if ((flags & O_CREAT) != 0) wait_for_disk();
  return NEXT(open)(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  if ((flags & O_CREAT) != 0) wait_for_disk();
  return NEXT(openat)(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  if (mode[0] != 'r') wait_for_disk();
  return NEXT(fopen)(path, mode);
}
