#include "play/catalogue.hpp"

#include <chrono>
#include <thread>

#include "levels/level_file.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

/// Until all has been read and taken over.
void wait_for(Catalogue& catalogue) {
  while (catalogue.reading()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  catalogue.update();
}

StoredLevel tower(int birds, bool pig) {
  StoredLevel level{{.width = 2, .slingshot = {-12, -2.5}}, {}};
  level.birds.assign(static_cast<std::size_t>(birds), "BirdRed");
  level.objects = {{Kind::block, "RectSmall", Material::wood, {2, -3.07}, 90}};
  if (pig) level.objects.push_back({Kind::pig, "BasicSmall", Material::none, {4, -3.2}, 0});
  return level;
}

}  // namespace

TEST_CASE("[play] catalogue: with a novelty every level has its tier, or why it has none") {
  const testing::Folder folder;
  for (int birds = 0; birds < 4; ++birds)
    write_level(tower(birds, true), folder / ("birds-" + std::to_string(birds) + ".xml"));
  write_level(tower(1, false), folder / "pigless.xml");
  Catalogue plain, placed("T2");
  for (Catalogue* catalogue : {&plain, &placed}) {
    catalogue->add({folder.path});
    wait_for(*catalogue);
    REQUIRE(catalogue->entries().size() == 5);
  }
  for (const CatalogueEntry& entry : plain.entries())
    CHECK((entry.novelty.empty() && entry.tier.empty() && entry.left_out.empty()));
  CHECK(plain.left_out().empty());
  CHECK(placed.left_out() == "no birds 1, no pigs 1");
  for (const CatalogueEntry& entry : placed.entries()) {
    INFO(entry.name << " " << entry.tier << " " << entry.left_out);
    const std::string reason = entry.name == "birds-0"   ? "no birds"
                               : entry.name == "pigless" ? "no pigs"
                                                         : "";
    CHECK(entry.left_out == reason);
    CHECK(entry.tier.empty() == !reason.empty());
    CHECK((entry.novelty == "T2") == reason.empty());
    CHECK((entry.value >= 0) == reason.empty());
  }
  // A level that is mended finds its place among the others.
  write_level(tower(1, true), folder / "pigless.xml");
  placed.add({folder / "pigless.xml"});
  wait_for(placed);
  CHECK(placed.entries().size() == 5);
  CHECK(placed.left_out() == "no birds 1");
}
