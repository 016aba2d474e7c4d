#pragma once
/// \file  What is asked of an HDF5 file before the library opens it, which damaged files can crash. Used
/// inside surprise/ only.
///
/// Files of Startle end with a checksum: 16 bytes "startle-checksum-1\n\0" and the FNV-1a hash of all bytes
/// before, little-endian. It lies behind the end that HDF5 knows, and no other program minds it. A file whose
/// checksum holds is as it was written. One without, be it foreign, older or changed by another program, is
/// read as a whole by a child process first.
#include <filesystem>
#include <functional>

namespace startle {

/// Adds the checksum to a file that is complete, and sees that it is on the disk. Throws Error when it cannot
/// be written.
void add_hdf5_checksum(const std::filesystem::path& path);

/// True when the file's checksum holds, false when it has none. Throws Error when the file does not begin
/// with a superblock of HDF5 (versions 0 to 3, addresses of 8 bytes), is shorter than that says, or has a
/// checksum that does not hold.
bool has_hdf5_checksum(const std::filesystem::path& path);

/// Does `job` in a child process. Throws Error, led by the path, with what it throws; or when it ends by a
/// signal, or takes longer than a minute and a second for each MB of the file.
void try_in_child(const std::filesystem::path& path, const std::function<void()>& job);

}  // namespace startle
