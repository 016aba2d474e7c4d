#include "web/study_site.hpp"

#include "core/error.hpp"
#include "core/password.hpp"
#include "people/study_store.hpp"
#include "web/page_routes.hpp"
#include "web/researcher_routes.hpp"
#include "web/router.hpp"
#include "web/study_routes.hpp"

namespace startle {

struct StudySite::Impl {
  Router router;
  StudyStore store;
  HttpServer server;

  explicit Impl(const StudySiteOptions& options)
      : router(options.site),
        store(options.study),
        server(options.server, [this](const HttpRequest& request) { return router.answer(request); }) {
    add_page_routes(router, {{"/", "study.html"}, {"/researcher", "researcher.html"}});
    add_study_routes(router, store, study_profile(store.record(), options.program),
                     {.most_enrolled = options.most_enrolled,
                      .behind_proxy = !options.site.empty(),
                      .report_failure = options.report_failure});
    if (options.researcher.empty()) return;
    if (!is_password_hash(options.researcher))
      throw Error("--researcher: found no hash of a password, as startle study-people password makes it");
    add_researcher_routes(router, store, options.researcher);
  }
};

StudySite::StudySite(const StudySiteOptions& options) : impl_(std::make_unique<Impl>(options)) {}
StudySite::~StudySite() = default;

int StudySite::port() const { return impl_->server.port(); }
HttpResponse StudySite::answer(const HttpRequest& request) const { return impl_->router.answer(request); }
void StudySite::run(const std::function<bool()>& go_on) { impl_->server.run(go_on); }

}  // namespace startle
