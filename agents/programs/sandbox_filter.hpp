#pragma once
/// \file  Calls of the system that a program in a sandbox does without.
#include <string>

namespace startle {

/// A filter of system calls as bwrap takes it. To the program these look like those of a kernel
/// without them (ENOSYS):
/// - user namespaces, in which it would be root again, and mounts;
/// - memory that is no process's own (memfd, System V segments and messages, io_uring), which no limit
///   counts;
/// - what reaches into other processes or into the kernel (ptrace, keys, bpf, performance counters);
/// - calls by the numbers of another processor, such as those of 32-bit programs.
/// Empty where the processor is not known.
std::string sandbox_filter();

}  // namespace startle
