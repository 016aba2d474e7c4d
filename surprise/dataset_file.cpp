#include "surprise/dataset_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "core/error.hpp"
#include "surprise/hdf5_file.hpp"
#include "surprise/hdf5_guard.hpp"

namespace startle {
namespace {

constexpr const char* file_format = "startle-clips";
constexpr int file_version = 1;
constexpr int deflate_level = 1;

/// A ClipOrigin as it lies in /metadata.
struct Record {
  char family[16] = {};
  std::uint64_t level = 0;
  std::int32_t bird = 0, first_step = 0;
  double angle = 0, stretch = 0, tap_time = 0, view_x = 0, view_y = 0, view_width = 0;
};

Record record_of(const ClipOrigin& origin) {
  Record record;
  std::strncpy(record.family, origin.family.c_str(), sizeof record.family - 1);
  record.level = origin.level;
  record.bird = origin.bird;
  record.first_step = origin.cut.first_step;
  record.angle = origin.shot.angle;
  record.stretch = origin.shot.stretch;
  record.tap_time = origin.shot.tap_time;
  record.view_x = origin.cut.view.centre.x;
  record.view_y = origin.cut.view.centre.y;
  record.view_width = origin.cut.view.width;
  return record;
}

ClipOrigin origin_of(const Record& record) {
  return {.family = {record.family, strnlen(record.family, sizeof record.family)},
          .level = record.level,
          .bird = record.bird,
          .shot = {.angle = record.angle, .stretch = record.stretch, .tap_time = record.tap_time},
          .cut = {.view = {.centre = {record.view_x, record.view_y}, .width = record.view_width},
                  .first_step = record.first_step}};
}

Hdf5Id string_type(std::size_t size) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, size);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

Hdf5Id record_type() {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, sizeof(Record)), H5Tclose);
  const auto add = [&](const char* name, std::size_t offset, hid_t member) {
    H5Tinsert(type, name, offset, member);
  };
  add("family", offsetof(Record, family), string_type(sizeof Record::family));
  add("level", offsetof(Record, level), H5T_NATIVE_UINT64);
  add("bird", offsetof(Record, bird), H5T_NATIVE_INT32);
  add("first_step", offsetof(Record, first_step), H5T_NATIVE_INT32);
  add("angle", offsetof(Record, angle), H5T_NATIVE_DOUBLE);
  add("stretch", offsetof(Record, stretch), H5T_NATIVE_DOUBLE);
  add("tap_time", offsetof(Record, tap_time), H5T_NATIVE_DOUBLE);
  add("view_x", offsetof(Record, view_x), H5T_NATIVE_DOUBLE);
  add("view_y", offsetof(Record, view_y), H5T_NATIVE_DOUBLE);
  add("view_width", offsetof(Record, view_width), H5T_NATIVE_DOUBLE);
  return type;
}

/// Shape of the array over all clips; of one clip with `count` 1.
std::vector<hsize_t> shape_of(const DatasetInfo& info, std::size_t count, bool colour) {
  const hsize_t pixels = static_cast<hsize_t>(info.format.pixels);
  std::vector<hsize_t> shape{count, static_cast<hsize_t>(info.format.frames), pixels, pixels};
  if (colour) shape.push_back(3);
  return shape;
}

}  // namespace

std::string deflated(const std::vector<std::uint8_t>& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string stream(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, bytes.data(),
                static_cast<uLong>(bytes.size()), deflate_level) != Z_OK)
    throw std::runtime_error("zlib: a clip could not be deflated");
  stream.resize(size);
  return stream;
}

// -----------------------------------------------------------------------------------------------------------
// writing

struct ClipFileWriter::Impl {
  std::filesystem::path path;
  DatasetInfo info;
  std::vector<Record> records;
  Hdf5Id file, frames, masks;

  [[noreturn]] void fail() const {
    const std::string reason = hdf5_reason();
    throw Error(path.string() + ": cannot be written" + (reason.empty() ? "" : ": " + reason));
  }
  hid_t check(hid_t id) const {
    if (id < 0) fail();
    return id;
  }

  Hdf5Id make_array(const char* name, bool colour) const {
    const std::vector<hsize_t> shape = shape_of(info, info.count, colour), chunk = shape_of(info, 1, colour);
    const Hdf5Id space(check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)),
                       H5Sclose);
    const Hdf5Id how(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
    check(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()));
    check(H5Pset_deflate(how, deflate_level));
    check(H5Pset_obj_track_times(how, false));  // the same settings give the same bytes
    return {check(H5Dcreate2(file, name, H5T_STD_U8LE, space, H5P_DEFAULT, how, H5P_DEFAULT)), H5Dclose};
  }

  void put_chunk(const Hdf5Id& array, const std::string& stream) const {
    std::array<hsize_t, 5> offset{records.size()};
    check(H5Dwrite_chunk(array, H5P_DEFAULT, 0, offset.data(), stream.size(), stream.data()));
  }

  void put_attribute(const char* name, hid_t file_type, hid_t memory_type, const void* value) const {
    const Hdf5Id space(check(H5Screate(H5S_SCALAR)), H5Sclose);
    const Hdf5Id attribute(check(H5Acreate2(file, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT)),
                           H5Aclose);
    check(H5Awrite(attribute, memory_type, value));
  }
  void put(const char* name, const std::string& text) const {
    const Hdf5Id type = string_type(std::max<std::size_t>(1, text.size()));
    put_attribute(name, type, type, text.empty() ? "\0" : text.c_str());
  }
  void put(const char* name, int value) const { put_attribute(name, H5T_STD_I32LE, H5T_NATIVE_INT, &value); }
  void put(const char* name, std::uint64_t value) const {
    put_attribute(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
  }
  void put(const char* name, double value) const {
    put_attribute(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }
};

ClipFileWriter::ClipFileWriter(const std::filesystem::path& path, const DatasetInfo& info)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->info = info;
  const Hdf5Lock lock;
  const Hdf5Id how(impl_->check(H5Pcreate(H5P_FILE_CREATE)), H5Pclose);
  impl_->check(H5Pset_obj_track_times(how, false));
  impl_->file = Hdf5Id(impl_->check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, how, H5P_DEFAULT)), H5Fclose);
  impl_->put("format", file_format);
  impl_->put("version", file_version);
  impl_->put("program", info.program);
  impl_->put("command", info.command);
  impl_->put("profile", info.profile);
  impl_->put("seed", info.seed);
  impl_->put("split", name(info.split));
  impl_->put("novelty", info.novelty);
  impl_->put("frames", info.format.frames);
  impl_->put("pixels", info.format.pixels);
  impl_->put("stride", info.format.stride);
  impl_->put("lead", info.format.lead);
  impl_->put("view", info.format.view);
  impl_->frames = impl_->make_array("frames", true);
  if (info.masks) impl_->masks = impl_->make_array("masks", false);
}

ClipFileWriter::~ClipFileWriter() {
  const Hdf5Lock lock;
  impl_.reset();
}

void ClipFileWriter::add(const StoredClip& clip) {
  if (impl_->records.size() == impl_->info.count)
    throw std::logic_error("clip set: more clips than announced");
  const Hdf5Lock lock;
  impl_->put_chunk(impl_->frames, clip.frames);
  if (impl_->info.masks) impl_->put_chunk(impl_->masks, clip.masks);
  impl_->records.push_back(record_of(clip.origin));
}

void ClipFileWriter::close() {
  if (impl_->records.size() != impl_->info.count)
    throw std::logic_error("clip set: fewer clips than announced");
  const Hdf5Lock lock;
  Impl& i = *impl_;
  const hsize_t count = i.records.size();
  const Hdf5Id space(i.check(H5Screate_simple(1, &count, nullptr)), H5Sclose);
  const Hdf5Id how(i.check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  i.check(H5Pset_obj_track_times(how, false));
  const Hdf5Id type = record_type();
  {
    const Hdf5Id metadata(i.check(H5Dcreate2(i.file, "metadata", type, space, H5P_DEFAULT, how, H5P_DEFAULT)),
                          H5Dclose);
    i.check(H5Dwrite(metadata, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, i.records.data()));
  }
  if (!i.frames.reset() || !i.masks.reset()) i.fail();
  if (H5Fflush(i.file, H5F_SCOPE_GLOBAL) < 0 || !i.file.reset()) i.fail();
  add_hdf5_checksum(i.path);
}

// -----------------------------------------------------------------------------------------------------------
// reading

struct ClipReader::Impl {
  std::filesystem::path path;
  DatasetInfo info;
  std::vector<ClipOrigin> origins;
  Hdf5Id file, frames, masks;

  ~Impl() {
    const Hdf5Lock lock;
    frames.reset();
    masks.reset();
    file.reset();
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(path.string() + ": " + what); }

  void open() {
    file = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) fail("cannot be read: " + hdf5_reason());
    read_info();
    read_metadata();
    frames = open_bytes("frames", true);
    info.masks = H5Lexists(file, "masks", H5P_DEFAULT) > 0;
    if (info.masks) masks = open_bytes("masks", false);
  }

  /// All that a reader may ever ask for.
  void read_whole() {
    open();
    for (std::size_t i = 0; i < info.count; ++i) {
      read_clip(frames, true, i);
      if (info.masks) read_clip(masks, false, i);
    }
  }

  Hdf5Id open_attribute(const char* name, H5T_class_t kind) const {
    if (H5Aexists(file, name) <= 0)
      fail("is no clip set of Startle: attribute " + std::string(name) + " is missing");
    Hdf5Id attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Id type(H5Aget_type(attribute), H5Tclose);
    const Hdf5Id space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(type) != kind || H5Sget_simple_extent_npoints(space) != 1)
      fail("attribute " + std::string(name) + " has the wrong type");
    return attribute;
  }
  std::string text_attribute(const char* name) const {
    const Hdf5Id attribute = open_attribute(name, H5T_STRING);
    const Hdf5Id type(H5Aget_type(attribute), H5Tclose);
    if (H5Tis_variable_str(type) != 0) fail("attribute " + std::string(name) + " has the wrong type");
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, text.data()) < 0) fail("attribute " + std::string(name) + " cannot be read");
    return text.substr(0, text.find('\0'));
  }
  template <typename T>
  T number_attribute(const char* name, hid_t memory_type) const {
    const Hdf5Id attribute = open_attribute(name, H5Tget_class(memory_type));
    T value{};
    if (H5Aread(attribute, memory_type, &value) < 0)
      fail("attribute " + std::string(name) + " cannot be read");
    return value;
  }
  int int_attribute(const char* name) const { return number_attribute<int>(name, H5T_NATIVE_INT); }

  Hdf5Id open_array(const char* name) const {
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
      fail("is no clip set of Startle: /" + std::string(name) + " is missing");
    Hdf5Id array(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    if (!array.valid()) fail("/" + std::string(name) + " cannot be read: " + hdf5_reason());
    return array;
  }
  void require_shape(const char* name, const Hdf5Id& array, const std::vector<hsize_t>& wanted) const {
    const std::vector<hsize_t> found = array_shape(array);
    if (found != wanted)
      fail("/" + std::string(name) + ": found shape " + shape_text(found) +
           ", the attributes and /metadata say " + shape_text(wanted));
  }
  Hdf5Id open_bytes(const char* name, bool colour) const {
    Hdf5Id array = open_array(name);
    const Hdf5Id type(H5Dget_type(array), H5Tclose);
    if (H5Tget_class(type) != H5T_INTEGER || H5Tget_size(type) != 1 || H5Tget_sign(type) != H5T_SGN_NONE)
      fail("/" + std::string(name) + ": found another type, allowed is unsigned 8 bit");
    require_shape(name, array, shape_of(info, info.count, colour));
    return array;
  }

  void read_info() {
    if (text_attribute("format") != file_format)
      fail("is no clip set of Startle: found format '" + text_attribute("format") + "'");
    if (const int version = int_attribute("version"); version != file_version)
      fail("found version " + std::to_string(version) + " of the format, this program reads " +
           std::to_string(file_version));
    info.program = text_attribute("program");
    info.command = text_attribute("command");
    info.profile = text_attribute("profile");
    info.seed = number_attribute<std::uint64_t>("seed", H5T_NATIVE_UINT64);
    const std::string split = text_attribute("split");
    if (const auto known = split_from_name(split))
      info.split = *known;
    else
      fail("attribute split: found '" + split + "', allowed are train, validation and test");
    info.novelty = text_attribute("novelty");
    info.format.frames = int_attribute("frames");
    info.format.pixels = int_attribute("pixels");
    info.format.stride = int_attribute("stride");
    info.format.lead = int_attribute("lead");
    info.format.view = number_attribute<double>("view", H5T_NATIVE_DOUBLE);
    try {
      require_valid(info.format);
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  void read_metadata() {
    const Hdf5Id array = open_array("metadata");
    const Hdf5Id found(H5Dget_type(array), H5Tclose), wanted = record_type();
    if (H5Tget_class(found) != H5T_COMPOUND) fail("/metadata: found another type, allowed is a compound");
    for (int i = 0; i < H5Tget_nmembers(wanted); ++i) {
      char* member = H5Tget_member_name(wanted, static_cast<unsigned>(i));
      const std::string name = member;
      H5free_memory(member);
      const int place = H5Tget_member_index(found, name.c_str());
      if (place < 0) fail("/metadata: field " + name + " is missing");
      if (H5Tget_member_class(found, static_cast<unsigned>(place)) !=
          H5Tget_member_class(wanted, static_cast<unsigned>(i)))
        fail("/metadata: field " + name + " has the wrong type");
    }
    const std::vector<hsize_t> shape = array_shape(array);
    if (shape.size() != 1)
      fail("/metadata: found shape " + shape_text(shape) + ", allowed is one entry a clip");
    if (shape[0] == 0) fail("holds no clips");
    // No file holds more metadata than it has bytes: a wrong size must not cost memory.
    std::error_code none;
    if (shape[0] > std::filesystem::file_size(path, none) / 8)
      fail("/metadata: found " + std::to_string(shape[0]) + " entries, more than the file can hold");
    std::vector<Record> records(shape[0]);
    if (H5Dread(array, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, records.data()) < 0)
      fail("/metadata cannot be read: " + hdf5_reason());
    for (const Record& record : records) {
      origins.push_back(origin_of(record));
      const ClipOrigin& origin = origins.back();
      const auto finite = [](std::initializer_list<double> values) {
        return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
      };
      if (origin.bird < 0 || origin.cut.first_step < 0 || !(origin.cut.view.width > 0) ||
          !finite({record.angle, record.stretch, record.tap_time, record.view_x, record.view_y,
                   record.view_width}))
        fail("/metadata: entry " + std::to_string(origins.size() - 1) + " has a value out of range");
    }
    info.count = origins.size();
  }

  std::vector<std::uint8_t> read_clip(const Hdf5Id& array, bool colour, std::size_t index) const {
    const std::vector<hsize_t> count = shape_of(info, 1, colour);
    std::vector<hsize_t> start(count.size(), 0);
    start[0] = index;
    std::size_t size = 1;
    for (const hsize_t extent : count) size *= extent;
    std::vector<std::uint8_t> bytes(size);
    const Hdf5Id from(H5Dget_space(array), H5Sclose);
    const Hdf5Id to(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(array, H5T_NATIVE_UINT8, to, from, H5P_DEFAULT, bytes.data()) < 0)
      fail("clip " + std::to_string(index) + " cannot be read: " + hdf5_reason());
    return bytes;
  }

  void require_index(std::size_t index) const {
    if (index >= info.count)
      fail("clip " + std::to_string(index) + " asked for, allowed are 0 to " +
           std::to_string(info.count - 1));
  }
};

ClipReader::ClipReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  Impl& i = *impl_;
  i.path = path;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) i.fail("this file does not exist");
  if (std::filesystem::is_directory(path, error)) i.fail("is a folder; a clip set is one file");
  const bool checked = has_hdf5_checksum(path);
  // The lock is let go before an Error leaves this function: the destructor of Impl takes it again.
  const Hdf5Lock lock;
  if (!checked)
    try_in_child(path, [&] {
      Impl* all = new Impl;  // never deleted: the child ends without closing anything, and holds the lock
                             // already
      all->path = path;
      all->read_whole();
    });
  i.open();
}

ClipReader::~ClipReader() = default;
ClipReader::ClipReader(ClipReader&&) noexcept = default;
ClipReader& ClipReader::operator=(ClipReader&&) noexcept = default;

const DatasetInfo& ClipReader::info() const { return impl_->info; }

const ClipOrigin& ClipReader::origin(std::size_t index) const {
  impl_->require_index(index);
  return impl_->origins[index];
}

std::vector<Clip> ClipReader::read(const std::vector<std::size_t>& indices, bool with_masks) const {
  for (const std::size_t index : indices) impl_->require_index(index);
  if (with_masks && !impl_->info.masks) impl_->fail("holds no masks");
  const Hdf5Lock lock;
  std::vector<Clip> clips;
  clips.reserve(indices.size());
  for (const std::size_t index : indices) {
    Clip clip{impl_->info.format.frames,
              impl_->info.format.pixels,
              impl_->read_clip(impl_->frames, true, index),
              {}};
    if (with_masks) clip.masks = impl_->read_clip(impl_->masks, false, index);
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace startle
