#include "web/study_site.hpp"

#include "people/study_store.hpp"
#include "web/page_routes.hpp"
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
    add_page_routes(router, "study.html");
    add_study_routes(router, store, study_profile(store.record(), options.program),
                     {.most_enrolled = options.most_enrolled, .report_failure = options.report_failure});
  }
};

StudySite::StudySite(const StudySiteOptions& options) : impl_(std::make_unique<Impl>(options)) {}
StudySite::~StudySite() = default;

int StudySite::port() const { return impl_->server.port(); }
HttpResponse StudySite::answer(const HttpRequest& request) const { return impl_->router.answer(request); }
void StudySite::run(const std::function<bool()>& go_on) { impl_->server.run(go_on); }

}  // namespace startle
