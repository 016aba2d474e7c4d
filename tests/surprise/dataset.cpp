#include "surprise/dataset.hpp"

#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <numeric>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/hdf5_guard.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;
namespace fs = std::filesystem;

namespace {

DatasetInfo small(std::size_t count, std::uint64_t seed = 1) {
  return {.format = {.frames = 5, .pixels = 16, .stride = 8, .lead = 1},
          .count = count,
          .seed = seed,
          .program = "test",
          .command = "by a test"};
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::size_t checksum_bytes = 24;  // at the end of what Startle writes

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Changes an HDF5 file by hand.
void with_file(const fs::path& path, const std::function<void(hid_t)>& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  change(file);
  H5Fclose(file);
}

void set_attribute(hid_t file, const char* name, int value) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &value);
  H5Aclose(attribute);
}

void put_bytes(hid_t file, const char* name, const std::vector<hsize_t>& shape, hid_t type = H5T_STD_U8LE) {
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
}

/// Runs in a process of its own and is killed after so many seconds; false when it had ended before.
bool killed_after(double seconds, const std::function<void()>& job) {
  const pid_t child = fork();
  if (child == 0) {
    job();
    _exit(0);
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

}  // namespace

TEST_CASE("[dataset] what is written is read, in any order") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5";
  DatasetInfo settings = small(12, 7);
  settings.masks = true;
  settings.split = Split::validation;
  REQUIRE(make_dataset(file, settings));
  CHECK_FALSE(fs::exists(folder.path / "set.h5.partial"));

  const ClipReader reader(file);
  CHECK(reader.info() == settings);
  REQUIRE(reader.size() == 12);
  const std::vector<Clip> all = reader.read({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, true);
  std::set<std::string> distinct;
  for (const Clip& clip : all) {
    CHECK(clip.frames == 5);
    CHECK(clip.pixels == 16);
    CHECK(clip.rgb.size() == 5u * 16 * 16 * 3);
    CHECK(clip.masks.size() == 5u * 16 * 16);
    distinct.insert({clip.rgb.begin(), clip.rgb.end()});
  }
  CHECK(distinct.size() == 12);
  const std::vector<Clip> some = reader.read({11, 3, 3, 0});
  REQUIRE(some.size() == 4);
  CHECK(some[0].rgb == all[11].rgb);
  CHECK(some[1].rgb == all[3].rgb);
  CHECK(some[2].rgb == all[3].rgb);
  CHECK(some[3].rgb == all[0].rgb);
  CHECK(some[0].masks.empty());
  CHECK(reader.read({}).empty());

  std::vector<std::pair<std::string, int>> origins;
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(reader.origin(i).level == i / 5);
    CHECK(reader.origin(i).bird == (i % 5 < 3 ? 0 : 1));
    CHECK(reader.origin(i).cut.view.width == settings.format.view);
  }
  CHECK(reader.origin(0).family == "rows");
  CHECK(reader.origin(5).family == "towers");
  CHECK(reader.origin(10).family == "pyramids");
}

TEST_CASE("[dataset] any thread may read") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5";
  REQUIRE(make_dataset(file, small(10)));
  const ClipReader reader(file);
  const std::vector<Clip> all = reader.read({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = 0; i < 50; ++i)
        wrong[k] += reader.read({(i + k) % 10})[0].rgb != all[(i + k) % 10].rgb;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("[dataset] bytes depend neither on threads nor on interruptions") {
  const Folder folder;
  const fs::path whole = folder.path / "whole.h5", stopped = folder.path / "stopped.h5",
                 killed = folder.path / "killed.h5";
  const DatasetInfo settings = small(170);  // four blocks, the last of them short
  REQUIRE(make_dataset(whole, settings, {.threads = 1}));
  const std::string bytes = bytes_of(whole);

  // Stopped after the first block, then finished by three threads.
  std::vector<std::size_t> progress;
  int blocks_begun = 0;
  CHECK_FALSE(make_dataset(stopped, settings,
                           {.threads = 1,
                            .progress = [&](std::size_t clips) { progress.push_back(clips); },
                            .keep_going = [&] { return blocks_begun++ < 1; }}));
  CHECK(progress == std::vector<std::size_t>{0, 50});
  CHECK_FALSE(fs::exists(stopped));
  progress.clear();
  CHECK(make_dataset(stopped, settings,
                     {.threads = 3, .progress = [&](std::size_t clips) { progress.push_back(clips); }}));
  REQUIRE(progress.size() == 4);
  CHECK(progress.front() == 50);
  CHECK(progress.back() == 170);
  CHECK((bytes_of(stopped) == bytes));

  // A finished set is left alone.
  const auto time = fs::last_write_time(stopped);
  CHECK(make_dataset(stopped, settings, {.threads = 1, .keep_going = [] { return false; }}));
  CHECK(fs::last_write_time(stopped) == time);

  // Killed again and again, a little later each time.
  int kills = 0;
  for (double seconds = 0.1; killed_after(seconds, [&] { make_dataset(killed, settings, {.threads = 1}); });
       seconds *= 1.5) {
    ++kills;
    CHECK((!fs::exists(killed) || bytes_of(killed) == bytes));  // killed between its last renaming and its
                                                                // end, it is whole
  }
  CHECK(kills > 0);
  CHECK((bytes_of(killed) == bytes));
  CHECK_FALSE(fs::exists(folder.path / "killed.h5.partial"));
}

TEST_CASE("[dataset] a damaged block is made again") {
  const Folder folder;
  const fs::path whole = folder.path / "whole.h5", file = folder.path / "set.h5",
                 block = folder.path / "set.h5.partial/block-0.clips";
  const DatasetInfo settings = small(60);
  REQUIRE(make_dataset(whole, settings));
  int blocks = 0;
  REQUIRE_FALSE(make_dataset(file, settings, {.threads = 1, .keep_going = [&] { return blocks++ < 1; }}));
  std::string bytes = bytes_of(block);
  const bool cut_off = GENERATE(true, false);
  if (cut_off)
    bytes.resize(bytes.size() / 2);
  else
    bytes[bytes.size() / 2] ^= 1;
  write_bytes(block, bytes);
  REQUIRE(make_dataset(file, settings));
  CHECK((bytes_of(file) == bytes_of(whole)));
}

TEST_CASE("[dataset] splits and seeds share no level") {
  const Folder folder;
  std::set<std::pair<double, double>> shots;
  std::size_t clips = 0;
  const auto add = [&](const DatasetInfo& settings) {
    const fs::path file = folder.path / (std::to_string(clips) + ".h5");
    REQUIRE(make_dataset(file, settings));
    const ClipReader reader(file);
    for (std::size_t i = 0; i < reader.size(); ++i)
      shots.insert({reader.origin(i).shot.angle, reader.origin(i).cut.view.centre.x});
    clips += reader.size();
  };
  for (const Split split : {Split::train, Split::validation, Split::test}) {
    DatasetInfo settings = small(35);
    settings.split = split;
    add(settings);
  }
  add(small(35, 2));
  CHECK(shots.size() == clips);  // the same angle touches something at the same place, to the last bit, in
                                 // the same level only
}

TEST_CASE("[dataset] a longer set begins with the shorter one") {
  const Folder folder;
  REQUIRE(make_dataset(folder.path / "short.h5", small(20)));
  REQUIRE(make_dataset(folder.path / "long.h5", small(60)));
  const ClipReader shorter(folder.path / "short.h5"), longer(folder.path / "long.h5");
  for (std::size_t i = 0; i < 20; ++i) CHECK(shorter.read({i})[0].rgb == longer.read({i})[0].rgb);
}

TEST_CASE(
    "[dataset] a novelty changes the clips from the first contact on, not the shots at the first bird") {
  const Folder folder;
  DatasetInfo settings = small(35);
  settings.novelty = "T1";
  REQUIRE(make_dataset(folder.path / "novel.h5", settings));
  REQUIRE(make_dataset(folder.path / "normal.h5", small(35)));
  const ClipReader novel(folder.path / "novel.h5"), normal(folder.path / "normal.h5");
  CHECK(novel.info().novelty == "T1");
  int different = 0;
  for (std::size_t i = 0; i < 35; ++i) {
    const Clip a = novel.read({i})[0], b = normal.read({i})[0];
    if (novel.origin(i).shot == normal.origin(i).shot) different += a.rgb != b.rgb;
  }
  CHECK(different > 0);
}

TEST_CASE("[dataset] files that are no clip sets are refused, by name and place") {
  const Folder folder;
  const fs::path good = folder.path / "good.h5", bad = folder.path / "bad.h5";
  REQUIRE(make_dataset(good, small(6)));
  const std::string bytes = bytes_of(good);
  const auto refused = [&](const fs::path& path, const std::string& what) {
    INFO(what);
    CHECK_THROWS_WITH(ClipReader(path), Catch::Contains(path.string()) && Catch::Contains(what));
  };
  const auto changed = [&](const std::string& what, const std::function<void(hid_t)>& change) {
    fs::copy_file(good, bad, fs::copy_options::overwrite_existing);
    with_file(bad, change);
    refused(bad, what);
  };

  refused(folder.path / "none.h5", "does not exist");
  refused(folder.path, "is a folder");
  write_bytes(bad, "P6 64 64 255");
  refused(bad, "no HDF5 file");
  const auto with_byte = [&](std::size_t at, char value) {
    std::string changed_bytes = bytes;
    changed_bytes[at] = value;
    write_bytes(bad, changed_bytes);
  };
  with_byte(8, 9);
  refused(bad, "found superblock version 9 of HDF5, allowed are 0 to 3");
  with_byte(13, 4);
  refused(bad, "addresses of 4 and 8 bytes");
  with_byte(24, 1);
  refused(bad, "base address 1, allowed is 0");
  with_byte(44, 1);  // the fifth byte of the end
  refused(bad, "is cut off: its superblock says 42949");
  with_byte(1000, static_cast<char>(bytes[1000] ^ 1));
  refused(bad, "is damaged: its bytes have the hash");
  write_bytes(bad, "");
  refused(bad, "no HDF5 file");
  for (const double share : {0.1, 0.5, 0.9}) {
    write_bytes(bad, bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
    refused(bad, "cut off");
  }
  H5Fclose(H5Fcreate(bad.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  refused(bad, "is no clip set of Startle: attribute format is missing");

  changed("version", [](hid_t f) { set_attribute(f, "version", 2); });
  changed("attribute split is missing", [](hid_t f) { H5Adelete(f, "split"); });
  changed("pixels: found 30", [](hid_t f) { set_attribute(f, "pixels", 30); });
  changed("/frames: found shape 6 x 5 x 16 x 16 x 3, the attributes and /metadata say 6 x 7 x 16 x 16 x 3",
          [](hid_t f) { set_attribute(f, "frames", 7); });
  changed("/frames is missing", [](hid_t f) { H5Ldelete(f, "frames", H5P_DEFAULT); });
  changed("/metadata is missing", [](hid_t f) { H5Ldelete(f, "metadata", H5P_DEFAULT); });
  changed("/metadata: found another type", [](hid_t f) {
    H5Ldelete(f, "metadata", H5P_DEFAULT);
    put_bytes(f, "metadata", {6});
  });
  changed("unsigned 8 bit", [](hid_t f) {
    H5Ldelete(f, "frames", H5P_DEFAULT);
    put_bytes(f, "frames", {6, 5, 16, 16, 3}, H5T_IEEE_F32LE);
  });
  changed("/frames: found shape 5 x 5", [](hid_t f) {
    H5Ldelete(f, "frames", H5P_DEFAULT);
    put_bytes(f, "frames", {5, 5, 16, 16, 3});
  });
  changed("/masks: found shape 6 x 5 x 16", [](hid_t f) { put_bytes(f, "masks", {6, 5, 16}); });
  const auto metadata_of = [](hsize_t count) {
    return [count](hid_t f) {
      const hid_t old = H5Dopen2(f, "metadata", H5P_DEFAULT), type = H5Dget_type(old);
      H5Dclose(old);
      H5Ldelete(f, "metadata", H5P_DEFAULT);
      put_bytes(f, "metadata", {count}, type);
      H5Tclose(type);
    };
  };
  changed("holds no clips", metadata_of(0));
  changed("more than the file can hold", metadata_of(hsize_t{1} << 40));
  changed("entry 0 has a value out of range", metadata_of(6));  // all zero: a view of no width
}

TEST_CASE("[dataset] clips out of range, masks that are not there, and damaged pictures") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5";
  REQUIRE(make_dataset(file, small(6)));
  {
    const ClipReader reader(file);
    CHECK_THROWS_WITH(reader.read({0, 6}), Catch::Contains("clip 6 asked for, allowed are 0 to 5"));
    CHECK_THROWS_WITH(reader.origin(6), Catch::Contains("clip 6 asked for"));
    CHECK_THROWS_WITH(reader.read({0}, true), Catch::Contains("holds no masks"));
  }
  // The pictures of some clip made unreadable: the streams of zlib begin with 78 01.
  std::string bytes = bytes_of(file);
  for (std::size_t at = bytes.find("\x78\x01"); at != std::string::npos; at = bytes.find("\x78\x01", at + 1))
    bytes[at] = 0;
  write_bytes(file, bytes);
  CHECK_THROWS_WITH(ClipReader(file), Catch::Contains("is damaged: its bytes have the hash"));
  write_bytes(file, bytes.substr(0, bytes.size() - checksum_bytes));
  CHECK_THROWS_WITH(ClipReader(file), Catch::Contains("set.h5: clip 0 cannot be read"));
}

TEST_CASE("[dataset] a file without checksum reads as well, once a child process has read it") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5", bare = folder.path / "bare.h5";
  REQUIRE(make_dataset(file, small(6)));
  const std::string bytes = bytes_of(file);
  CHECK(has_hdf5_checksum(file));
  write_bytes(bare, bytes.substr(0, bytes.size() - checksum_bytes));
  CHECK_FALSE(has_hdf5_checksum(bare));
  CHECK(ClipReader(bare).read({5, 0}).front().rgb == ClipReader(file).read({5}).front().rgb);
  // The library itself ignores the checksum, and who changes the file by it loses it.
  with_file(file, [](hid_t f) { set_attribute(f, "stride", 4); });
  CHECK_FALSE(has_hdf5_checksum(file));
  CHECK(ClipReader(file).info().format.stride == 4);

  CHECK_NOTHROW(try_in_child(file, [] {}));
  CHECK_THROWS_WITH(try_in_child(file, [] { std::abort(); }),
                    Catch::Contains("set.h5: the HDF5 library crashes on it"));
  CHECK_THROWS_WITH(try_in_child(file, [] { throw std::bad_alloc(); }),
                    Catch::Contains("set.h5: std::bad_alloc"));
}

TEST_CASE("[dataset] 400 damaged files are refused or read, and none ends the program") {
  const Folder folder;
  const fs::path good = folder.path / "good.h5", bad = folder.path / "bad.h5";
  DatasetInfo info = small(6);
  info.masks = true;
  REQUIRE(make_dataset(good, info));
  const std::string with_checksum = bytes_of(good),
                    bare = with_checksum.substr(0, with_checksum.size() - checksum_bytes);
  std::vector<std::size_t> all(6);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Random random(20);
  int refused_with_checksum = 0, refused_bare = 0;
  const auto refused = [&](const std::string& bytes) {
    write_bytes(bad, bytes);
    try {
      const std::vector<Clip> clips = ClipReader(bad).read(all, true);
      CHECK(clips.size() == 6);
      return 0;
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Catch::StartsWith(bad.string()));
      return 1;
    }
  };
  // One to eight bytes, in half of the files among the first two kilobytes, which hold what the rest is found
  // by; or a part cut out.
  const auto mutated = [&](std::string bytes) {
    const std::size_t reach = random.integer(0, 1) == 0 ? 2048 : bytes.size();
    const auto place = [&] {
      return static_cast<std::size_t>(random.integer(0, static_cast<int>(std::min(reach, bytes.size())) - 1));
    };
    if (random.integer(0, 9) == 0)
      return bytes.erase(place(), static_cast<std::size_t>(random.integer(1, 64)));
    for (int changes = random.integer(1, 8); changes > 0; --changes)
      bytes[place()] ^= static_cast<char>(random.integer(1, 255));
    return bytes;
  };
  for (int i = 0; i < 200; ++i) {
    refused_with_checksum += refused(mutated(with_checksum));
    refused_bare += refused(mutated(bare));
  }
  CAPTURE(refused_bare);
  CHECK(refused_with_checksum >= 195);  // all but changes of the checksum's first 16 bytes alone
  CHECK(refused_bare > 50);
}

TEST_CASE("[dataset] nothing of others is overwritten") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5", partial = folder.path / "set.h5.partial";
  REQUIRE(make_dataset(file, small(6)));
  const std::string bytes = bytes_of(file);
  DatasetInfo other = small(6);
  other.format.stride = 4;
  CHECK_THROWS_WITH(make_dataset(file, other), Catch::Contains("made with other settings"));
  CHECK((bytes_of(file) == bytes));
  write_bytes(file, "a diary");
  CHECK_THROWS_WITH(make_dataset(file, small(6)), Catch::Contains("no HDF5 file"));
  CHECK(bytes_of(file) == "a diary");
  fs::remove(file);

  CHECK_FALSE(make_dataset(file, small(60), {.threads = 1, .keep_going = [] { return false; }}));
  CHECK_THROWS_WITH(make_dataset(file, other), Catch::Contains("unfinished set made with other settings"));
  write_bytes(partial / "block-0.clips.tmp-1-0", "what a killed one left");
  CHECK(make_dataset(file, small(60)));
  CHECK_FALSE(fs::exists(partial));
  // A finished set takes away what is left of its making, and nothing else.
  fs::create_directory(partial);
  write_bytes(partial / "block-0.clips", "left");
  write_bytes(partial / "block-notes.txt", "dear diary");
  CHECK(make_dataset(file, small(60)));
  CHECK_FALSE(fs::exists(partial / "block-0.clips"));
  CHECK(fs::exists(partial / "block-notes.txt"));
  fs::remove_all(partial);
  fs::remove(file);

  fs::create_directory(partial);
  write_bytes(partial / "diary.txt", "dear diary");
  CHECK_THROWS_WITH(make_dataset(file, small(6)), Catch::Contains("is something else"));
  CHECK(fs::exists(partial / "diary.txt"));
}

TEST_CASE("[dataset] settings out of range are refused before anything is written") {
  const Folder folder;
  const fs::path file = folder.path / "set.h5";
  const auto refused = [&](const DatasetInfo& settings, const std::string& what) {
    CHECK_THROWS_WITH(make_dataset(file, settings), Catch::Contains(what));
    CHECK(fs::is_empty(folder.path));
  };
  refused(small(0), "clips: found 0");
  DatasetInfo settings = small(5);
  settings.format.lead = 5;
  refused(settings, "lead: found 5");
  settings = small(5);
  settings.format.pixels = 1024;
  settings.format.frames = 1000;
  refused(settings, "bytes a clip");
  settings = small(5);
  settings.profile = "moon";
  refused(settings, "moon");
  settings = small(5);
  settings.novelty = "T9";
  refused(settings, "T9");
  CHECK_THROWS_WITH(make_dataset(folder.path / "no/such/folder/set.h5", small(5), {.threads = 1}),
                    Catch::Contains("folder"));
}

TEST_CASE("[dataset] a full disk is an error, and what is finished stays") {
  const Folder folder;
  const fs::path whole = folder.path / "whole.h5", file = folder.path / "set.h5",
                 note = folder.path / "error.txt";
  const DatasetInfo settings = small(100);
  REQUIRE(make_dataset(whole, settings));
  // A limit on the size of files stands in for the disk: large enough for a block, too small for the set.
  const rlim_t limit = GENERATE(rlim_t{4000}, rlim_t{60000});
  REQUIRE(fs::file_size(whole) > limit);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit size{limit, limit};
    setrlimit(RLIMIT_FSIZE, &size);
    try {
      make_dataset(file, settings, {.threads = 1});
    } catch (const Error& error) {
      write_bytes(note, error.what());
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK_THAT(bytes_of(note), Catch::Contains("cannot be written") && Catch::Contains("set.h5.partial"));
  CHECK_FALSE(fs::exists(file));
  CHECK(fs::exists(folder.path / "set.h5.partial/block-0.clips") == (limit == 60000));
  REQUIRE(make_dataset(file, settings));
  CHECK((bytes_of(file) == bytes_of(whole)));
}
