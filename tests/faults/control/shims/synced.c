/* Preloaded into a store: notes how much of each file has been synced to disk.

   After a successful fsync or fdatasync the file's length is written to $TAFL_SYNCED/INODE. A
   simulated power cut kills the store and cuts every file to the length noted (see power.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(int fd) {
    const char *folder = getenv("TAFL_SYNCED");
    struct stat file;
    char path[4096];
    int error = errno;
    if (folder && fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) {
        snprintf(path, sizeof path, "%s/%llu", folder, (unsigned long long)file.st_ino);
        int out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (out >= 0) {
            long long length = file.st_size;
            if (pwrite(out, &length, sizeof length, 0) != sizeof length)
                abort();
            close(out);
        }
    }
    errno = error;
}

static int synced(const char *name, int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = real(fd);
    if (result == 0)
        note(fd);
    return result;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
