#pragma once
/// \file  A study with people: what participants do, each a POST that names the link in its body, so that no
/// address holds it.
#include <functional>
#include <memory>
#include <string>

#include "people/study_store.hpp"
#include "web/router.hpp"

namespace startle {

struct StudyRouteOptions {
  int most_enrolled = 0;      ///< whoever comes with a recruiter's identifier is enrolled while the study has
                              ///< fewer participants; 0: nobody is
  bool behind_proxy = false;  ///< the proxy says in X-Forwarded-For where a request comes from
  std::function<void(const std::string&)> report_failure;  ///< hears what could not be stored; may be empty
};

/// GET /api/study and /api/landscape, POST /api/study/enrol, /open, /state, /tap, and one for each act.
/// `store` must outlive the router. Throws Error for texts that cannot be used.
void add_study_routes(Router& router, StudyStore& store, const std::shared_ptr<const Profile>& profile,
                      const StudyRouteOptions& options);

}  // namespace startle
