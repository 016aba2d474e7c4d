#include "rollouts/shard_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "core/hdf5_id.hpp"

namespace startle {
namespace {

constexpr hsize_t rows_a_chunk = 16384;
constexpr unsigned column_deflate_level = 4;

/// The identifier, or an Error.
hid_t made(hid_t id) {
  if (id < 0) throw Error("rollouts: HDF5 cannot make a file of this size in memory");
  return id;
}

Hdf5Id owned(hid_t id, herr_t (*close)(hid_t)) { return {made(id), close}; }

hid_t text_type(std::size_t size) {
  const hid_t type = made(H5Tcopy(H5T_C_S1));
  made(H5Tset_size(type, size));
  made(H5Tset_strpad(type, H5T_STR_NULLPAD));
  return type;
}

/// Type in the file; in memory it is the machine's own.
hid_t file_type(ColumnType type, std::size_t size) {
  switch (type) {
    case ColumnType::text:
      return text_type(size);
    case ColumnType::uint8:
      return made(H5Tcopy(H5T_STD_U8LE));
    case ColumnType::int16:
      return made(H5Tcopy(H5T_STD_I16LE));
    case ColumnType::int32:
      return made(H5Tcopy(H5T_STD_I32LE));
    case ColumnType::int64:
      return made(H5Tcopy(H5T_STD_I64LE));
    case ColumnType::uint64:
      return made(H5Tcopy(H5T_STD_U64LE));
    case ColumnType::float32:
      return made(H5Tcopy(H5T_IEEE_F32LE));
    case ColumnType::float64:
      return made(H5Tcopy(H5T_IEEE_F64LE));
  }
  return made(-1);
}

void put_text_attribute(hid_t of, const std::string& name, const std::string& text) {
  const Hdf5Id type = owned(text_type(std::max<std::size_t>(1, text.size())), H5Tclose);
  const Hdf5Id space = owned(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute = owned(H5Acreate2(of, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                                 H5Aclose);
  made(H5Awrite(attribute, type, text.empty() ? "\0" : text.c_str()));
}

/// Properties of a data set: chunks of that shape, none where there is nothing.
hid_t properties(const std::vector<hsize_t>& chunk, bool empty) {
  const hid_t how = made(H5Pcreate(H5P_DATASET_CREATE));
  made(H5Pset_obj_track_times(how, false));  // the same rows give the same bytes
  if (empty) return how;
  made(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()));
  if (chunk.size() == 1) made(H5Pset_shuffle(how));
  made(H5Pset_deflate(how, column_deflate_level));
  return how;
}

void put_column(hid_t group, const ColumnInfo& column, const std::vector<char>& values, hsize_t rows) {
  const Hdf5Id type = owned(file_type(column.type, column.size), H5Tclose);
  const Hdf5Id space = owned(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Hdf5Id how = owned(properties({std::min(rows, rows_a_chunk)}, rows == 0), H5Pclose);
  const Hdf5Id array = owned(
      H5Dcreate2(group, column.name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  if (!column.names.empty()) {
    std::string names;
    for (const std::string& name : column.names) names += (names.empty() ? "" : ",") + name;
    put_text_attribute(array, "names", names);
  }
  const Hdf5Id memory = owned(H5Tget_native_type(type, H5T_DIR_ASCEND), H5Tclose);
  if (rows > 0) made(H5Dwrite(array, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

/// One chunk a frame, of what is deflated already.
void put_pictures(hid_t group, const char* name, hid_t type, std::vector<hsize_t> shape,
                  const std::vector<std::string>& streams) {
  std::vector<hsize_t> chunk = shape;
  chunk[0] = 1;
  const Hdf5Id space = owned(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                             H5Sclose);
  const Hdf5Id how = owned(properties(chunk, streams.empty()), H5Pclose);
  const Hdf5Id array = owned(H5Dcreate2(group, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  std::array<hsize_t, 4> offset{};
  for (const std::string& stream : streams) {
    made(H5Dwrite_chunk(array, H5P_DEFAULT, 0, offset.data(), stream.size(), stream.data()));
    ++offset[0];
  }
}

void put_tables(hid_t file, const RolloutTables& tables, const RolloutRecording& recording) {
  for_each_table(tables, [&](const TableInfo& table, const void* first, std::size_t rows) {
    const Hdf5Id group = owned(H5Gcreate2(file, table.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Gclose);
    for (const ColumnInfo& column : table.columns) {
      std::vector<char> values(rows * column.size);
      const char* from = static_cast<const char*>(first) + column.offset;
      for (std::size_t i = 0; i < rows; ++i, from += table.row_size)
        std::memcpy(values.data() + i * column.size, from, column.size);
      put_column(group, column, values, rows);
    }
  });
  if (recording.width == 0) return;
  const Hdf5Id frames = owned(H5Gopen2(file, "frames", H5P_DEFAULT), H5Gclose);
  const hsize_t count = tables.frames.size(), height = static_cast<hsize_t>(recording.height),
                width = static_cast<hsize_t>(recording.width);
  put_pictures(frames, "picture", H5T_STD_U8LE, {count, height, width, 3}, tables.pictures);
  if (recording.masks) put_pictures(frames, "mask", H5T_STD_U16LE, {count, height, width}, tables.masks);
}

}  // namespace

std::string shard_bytes(const RolloutTables& tables, const RolloutRecording& recording,
                        const std::vector<std::pair<std::string, std::string>>& attributes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Hdf5Id access = owned(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t increment = 1 << 20;
  made(H5Pset_fapl_core(access, increment, false));  // in memory: write_file() puts it on the disk
  const Hdf5Id creation = owned(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  made(H5Pset_obj_track_times(creation, false));
  // Small nodes in the index of chunks: a file has a hundred columns, most of a chunk or two.
  constexpr unsigned half_node = 4;
  made(H5Pset_istore_k(creation, half_node));
  const Hdf5Id file = owned(H5Fcreate("shard", H5F_ACC_TRUNC, creation, access), H5Fclose);
  put_text_attribute(file, "format", rollouts_format);
  put_text_attribute(file, "version", std::to_string(rollouts_version));
  for (const auto& [name, text] : attributes) put_text_attribute(file, name, text);
  put_tables(file, tables, recording);
  made(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  made(size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  made(H5Fget_file_image(file, bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace startle
