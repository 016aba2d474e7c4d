#pragma once
/// \file  A test that cannot run here says so, and CTest lists it as skipped (SKIP_REGULAR_EXPRESSION of
/// startle_test): Catch2 2 has no SKIP.
#include "tests/catch.hpp"

/// `reason`: what is missing. The test returns right after it, before it checks anything: CTest takes it for
/// skipped even if a check fails.
#define TEST_IS_SKIPPED(reason) WARN("the test is skipped: " << reason)
