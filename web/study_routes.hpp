#pragma once
/// \file  A study with people: what participants do, each a POST that names the link in its body, so that no
/// address holds it. Scenes, artwork and traces are those of docs/web.md.
///
/// | request | more keys | does |
/// |---|---|---|
/// | `GET /api/study` | | gives `texts`, `language` and the study's `id` |
/// | `/api/study/enrol` | `identifier`, `link`: drawn by the page | enrols who comes from a recruiter |
/// | `/api/study/open` | `link` alone | opens the study, once more where it was opened before |
/// | `/api/study/state` | | gives what is to be seen |
/// | `/api/study/tap` | `tap_time` | gives the shot in flight with that tap |
/// | `/api/study/begin-practice` | `position` | an event, as all that follow |
/// | `/api/study/shoot` | `shot`: `angle`, `stretch` | |
/// | `/api/study/end-shot` | `tap_time`, where the power was used | |
/// | `/api/study/report` | `confidence`, 0.5 to 1; `description`, up to 2000 bytes | |
/// | `/api/study/answer` | `answers`: numbers and texts by name of the question | |
/// | `agree`, `decline`, `leave-practice`, `begin-item`, `report-nothing` | | |
/// | `leave-item`, `pause`, `go-on`, `close` | | |
///
/// All but the first three have `link` and `opening`, events `sequence` as well: the numbers of the last
/// `state`. An event is stored before it is answered, with the server's time.
///
/// | of a `state` | meaning |
/// |---|---|
/// | `opening`, `sequence` | how often the study was opened; number of the next event |
/// | `stage`, `paused`, `playing` | as `study-people report` names them; whether a level is to be seen |
/// | `practised`, `position` | practice levels played to their end; level or item in play |
/// | `items`, `items_done` | counts |
/// | `shots`, `flying`, `over`, `reports`, `may_report`, `attention` | of the level in play |
/// | `consent`, `questions`, `completion`, `return_address` | each in its stage alone |
/// | `code` | of the participant |
///
/// Beside the `state` an answer may have `scene` and `art` (the level), or `before`, `trace`, `tapped` and
/// `path` (a shot): the bird's way until it touched something.
///
/// | status | meaning |
/// |---|---|
/// | 403 | the study is full |
/// | 404 | the link belongs to nobody |
/// | 409 | the identifier has enrolled; or the event came twice, out of order or out of turn |
/// | 429, 503 | later |
/// | 507 | the event could not be stored |
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
