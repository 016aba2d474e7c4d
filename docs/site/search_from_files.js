// Browsers start no worker and read no JSON from files. So the index is loaded as a script when somebody first searches, and the theme's worker runs
// in a frame of the page. From a server, nothing of this happens.
if (location.protocol === "file:") {
  const base = new URL("..", document.currentScript.src);

  window.__search = {
    index: new Promise((done) => {
      const load = () => {
        const script = document.createElement("script");
        script.src = new URL("search/search_index.js", base);
        script.onload = () => done(window.__index);
        document.head.append(script);
      };
      const search = document.querySelector("[data-md-component=search-query]");
      search.addEventListener("focus", load, { once: true });
      if (search === document.activeElement || location.search) load();
    }),
  };

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><title>search</title>";
      this.inside = new Promise((done) => {
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = inside.document.createElement("script");
          script.src = new URL(url, location);
          script.onload = () => done(inside);
          inside.document.head.append(script);
        };
      });
      document.body.append(frame);
    }
    postMessage(data) {
      this.inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
