#include "web/web_site.hpp"

#include "web/level_routes.hpp"
#include "web/page_routes.hpp"
#include "web/play_routes.hpp"
#include "web/router.hpp"
#include "web/web_levels.hpp"

namespace startle {

struct WebSite::Impl {
  Router router;
  WebLevels levels;
  HttpServer server;

  explicit Impl(const WebSiteOptions& options)
      : router(options.site),
        levels(options.levels, profile(options.profile)),
        server(options.server, [this](const HttpRequest& request) { return router.answer(request); }) {
    add_page_routes(router, {{"/", "index.html"}});
    add_level_routes(router, levels);
    add_play_routes(router, levels);
  }
};

WebSite::WebSite(const WebSiteOptions& options) : impl_(std::make_unique<Impl>(options)) {}
WebSite::~WebSite() = default;

int WebSite::port() const { return impl_->server.port(); }
std::size_t WebSite::levels() const { return impl_->levels.list().size(); }
std::size_t WebSite::left_out() const { return impl_->levels.left_out(); }
HttpResponse WebSite::answer(const HttpRequest& request) const { return impl_->router.answer(request); }
void WebSite::run(const std::function<bool()>& go_on) { impl_->server.run(go_on); }

}  // namespace startle
