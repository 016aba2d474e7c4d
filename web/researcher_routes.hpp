#pragma once
/// \file  How a study goes, for the researcher who says the password: counts, drop-outs, and the detection by
/// tier that the report has. Of single participants the codes alone.
#include <string>

#include "people/study_store.hpp"
#include "web/router.hpp"

namespace startle {

/// POST /api/researcher/enter and /api/researcher/figures. `store` must outlive the router.
void add_researcher_routes(Router& router, StudyStore& store, const std::string& password_hash);

}  // namespace startle
