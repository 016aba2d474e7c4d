/* Loaded before a program (LD_PRELOAD), calls its main() once for each line of standard input, each time in a
   child: what it takes to load LibTorch, 0.4 s, is spent once and not for each of a thousand command lines.
   A line is the folder to run in, the file that takes standard error, and the words, separated by \x1f. Each
   exit code is printed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*Main)(int, char**, char**);
typedef int (*Start)(Main, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static Main program;

static int run(char* program_name, char* line, char** environment) {
  char* words[64] = {program_name};
  int count = 1;
  const char* folder = strtok(line, "\x1f");
  const char* errors = strtok(NULL, "\x1f");
  while (count < 63 && (words[count] = strtok(NULL, "\x1f\n")) != NULL) ++count;
  words[count] = NULL;
  if (chdir(folder) != 0 || !freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
      !freopen(errors, "w", stderr))
    return 127;
  return program(count, words, environment);
}

static int run_lines(int argc, char** argv, char** environment) {
  char* line = NULL;
  size_t size = 0;
  (void)argc;
  unsetenv("LD_PRELOAD"); /* what the program starts is as it is */
  while (getline(&line, &size, stdin) > 0) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) _exit(run(argv[0], line, environment)); /* what LibTorch does at exit takes long, too */
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(stdout);
  }
  return 0;
}

/* The C library's name. NOLINTNEXTLINE(readability-identifier-naming) */
int __libc_start_main(Main main_function, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  program = main_function;
  return ((Start)dlsym(RTLD_NEXT, "__libc_start_main"))(run_lines, argc, argv, init, fini, loader_fini,
                                                         stack_end);
}
