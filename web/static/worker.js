// Runs the engine (app/static/main.cpp) beside the page, and answers what web/static/source.js asks.
importScripts("engine.js");

// The answer to a request, of a module that has started.
function answerOf(module, request) {
  const texts = [request.method, request.path, request.body].map((text) => {
    const bytes = new TextEncoder().encode(text + "\0"), at = module._malloc(bytes.length);
    module.HEAPU8.set(bytes, at);
    return at;
  });
  const status = module._startle_answer(...texts);
  texts.forEach((at) => module._free(at));
  const from = module._startle_answer_bytes(), type = module.UTF8ToString(module._startle_answer_type());
  return { status, type, bytes: module.HEAPU8.slice(from, from + module._startle_answer_size()) };
}

const starting = startle();
starting.catch(() => postMessage({ failed: "The engine cannot be started: it needs the files beside it, and a "
  + "browser that has WebAssembly with exceptions, of 2022 or later." }));

onmessage = async ({ data: { number, ...request } }) => {
  const module = await starting;
  try {
    const answer = answerOf(module, request);
    postMessage({ number, ...answer }, [answer.bytes.buffer]);
  } catch (error) { // its memory has come to an end, say
    postMessage({ failed: `The engine has stopped (${error.message}); load the page again.` });
  }
};
