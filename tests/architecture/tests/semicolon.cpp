TEST_CASE("one; two") {}
