#include "agents/programs/sandbox_filter.hpp"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>
#endif

namespace startle {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

namespace {

#ifdef __x86_64__
constexpr unsigned processor = AUDIT_ARCH_X86_64;
#else
constexpr unsigned processor = AUDIT_ARCH_AARCH64;
#endif

/// Calls since 2019 have one number everywhere; old headers lack their names.
constexpr unsigned missing[] = {SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
                                428,  // open_tree
                                429,  // move_mount
                                430,  // fsopen
                                431,  // fsconfig
                                432,  // fsmount
                                433,  // fspick
                                442,  // mount_setattr
                                // Its flags lie where a filter cannot see them; C libraries then use clone.
                                435,  // clone3
                                SYS_memfd_create, SYS_shmget, SYS_msgget,
                                425,  // io_uring_setup
                                426,  // io_uring_enter
                                427,  // io_uring_register
                                447,  // memfd_secret
                                SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_add_key,
                                SYS_request_key, SYS_keyctl, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd};

}  // namespace

std::string sandbox_filter() {
  std::vector<sock_filter> program;
  const auto load = [&](std::size_t at) {
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(at)));
  };
  const auto answer = [&](unsigned what) { program.push_back(BPF_STMT(BPF_RET | BPF_K, what)); };
  constexpr unsigned lacks = SECCOMP_RET_ERRNO | ENOSYS;
  load(offsetof(seccomp_data, arch));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, processor, 1, 0));
  answer(lacks);
  load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  constexpr unsigned x32 = 0x40000000;  // numbers of a third kind
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1));
  answer(lacks);
#endif
  for (const unsigned call : missing) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    answer(lacks);
  }
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0));
  answer(SECCOMP_RET_ALLOW);
  load(offsetof(seccomp_data, args));  // the lower half of the first, on these processors
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1));
  answer(lacks);
  answer(SECCOMP_RET_ALLOW);
  return {reinterpret_cast<const char*>(program.data()), program.size() * sizeof program.front()};
}

#else

std::string sandbox_filter() { return {}; }

#endif

}  // namespace startle
