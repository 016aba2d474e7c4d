// A level that is played: mouse, touch, keys and controls on one side, game, clock and canvases on the other.
import { addressOf } from "./address.js";
import { Aim } from "./aim.js";
import { getJson, levelPath } from "./api.js";
import { Sprites } from "./artwork.js";
import { BirdInput } from "./bird_input.js";
import { standingBodies } from "./flight.js";
import { Game } from "./game.js";
import { Overlays } from "./overlays.js";
import { Playback } from "./playback.js";
import { SceneView } from "./scene_view.js";
import { VideoRecording, videoFormat } from "./video.js";

const ROOM = 0.62; // of the window's height, for the canvases
const LONGEST_FRAME_S = 0.1; // after a stall the world goes on where it was

const still = matchMedia("(prefers-reduced-motion: reduce)");

function choices(select, entries) {
  select.replaceChildren(...entries.map(({ value, text }) => {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    return option;
  }));
}

export class PlayScreen {
  #game = null;
  #aim = new Aim();
  #playback = new Playback();
  #state = "closed"; // "standing", "flying", "waiting" for the server
  #fresh = false;    // the shot that is shown is a new one, whose bird may still be tapped
  #landscape = null;
  #video = null;
  #last = 0;         // time of the last frame
  #dirty = true;

  constructor(page, say) {
    this.page = page;
    this.say = say;
    this.panes = [...page.panes.querySelectorAll(".pane")].map((figure) => {
      const canvas = figure.querySelector("canvas");
      return { figure, canvas, caption: figure.querySelector("figcaption"), view: new SceneView(canvas) };
    });
    this.overlays = new Overlays(page);
    this.#listen();
  }

  // As the page's address says; in a quiz neither the page nor its address says which world it is.
  async open({ level, world, shots, twins }, { quiz = false } = {}) {
    this.close();
    this.#quiz = quiz;
    const opened = await getJson(levelPath(level));
    this.#landscape ??= await getJson("/api/landscape");
    const { page } = this;
    const novelties = opened.novelties.map(({ name }) => ({ value: name, text: name }));
    choices(page.world, [{ value: "", text: "the normal world" },
      ...novelties.map(({ value, text }) => ({ value, text: `the novel world ${text}` }))]);
    choices(page.asked, [{ value: "", text: "none" }, ...novelties]);
    page.world.value = world;
    page.asked.value = twins || world || (opened.novelty ?? "");
    page.twins.checked = twins !== "";
    page.panel.hidden = quiz;
    page.play.hidden = false;
    this.#sprites = new Sprites(opened.art);
    await this.#begin(new Game(opened, page.world.value), shots);
    this.#loop();
  }

  close() {
    this.#state = "closed";
    this.#game = this.#video = null;
    this.page.play.hidden = true;
    this.overlays.show(null);
  }

  get name() { return this.#game?.level.name ?? ""; }
  // Whether a shot of this level has been seen.
  get flown() { return this.#game !== null && this.#game.shots.length > 0 && this.#state !== "waiting"; }

  // The last shot in the normal world and in that of the novelty.
  async reveal(novelty) {
    this.page.asked.value = novelty;
    this.page.twins.checked = true;
    await this.#changeNovelty();
  }

  #sprites = null;
  #quiz = false;

  async #begin(game, shots) {
    this.#game = game;
    this.#aim = new Aim();
    this.#describeNovelty();
    this.#arrange();
    await this.#fly(shots, false);
    // A shared shot is shown, unless motion is not wanted.
    if (game.flight && !still.matches) this.#show();
    else this.#stand();
  }

  get #novelty() { return this.page.asked.value; }
  get #twinNovelty() { return this.page.twins.checked ? this.#novelty : ""; }
  // The scene that is shown while nothing flies.
  get #scene() { return this.#game.scene; }

  // Panes for one world or two: beside or above each other, whichever shows them larger.
  #arrange() {
    const two = this.#twinNovelty !== "";
    const [left, right] = this.panes;
    const { box } = this.#game.level.scene;
    const width = this.page.stage.clientWidth, height = ROOM * innerHeight;
    const across = box[1] - box[0], high = box[3] - box[2];
    const beside = Math.min(width / 2 / across, height / high);
    const above = Math.min(width / across, height / 2 / high);
    this.page.panes.classList.toggle("beside", two && beside > above);
    right.figure.hidden = !two;
    left.caption.textContent = two ? "normal" : "";
    right.caption.textContent = two ? `novel: ${this.#novelty}` : "";
    const room = two && above >= beside ? height / 2 : height;
    for (const { view } of this.#shownPanes) view.open(this.#sprites, this.#landscape, box, room);
    this.#dirty = true;
  }

  get #shownPanes() { return this.panes.filter(({ figure }) => !figure.hidden); }

  // Sends shots to the server, and takes over what it makes of them. False where it could not.
  async #fly(shots, announce) {
    const game = this.#game;
    this.#setState("waiting");
    try {
      await game.fly(shots, this.#twinNovelty);
    } catch (error) {
      if (this.#game !== game) return false;
      this.say(error.message);
      this.#stand();
      return false;
    }
    if (this.#game !== game) return false; // another level has been opened meanwhile
    if (announce) this.say(`Shot ${shots.length} at ${shots.at(-1).degrees} degrees.`);
    this.#share();
    return true;
  }

  #share() {
    if (this.#quiz) {
      this.page.address.value = "";
      return;
    }
    const { world, shots, level } = this.#game;
    const address = addressOf({ level: level.id, world, twins: this.#twinNovelty, shots });
    history.replaceState(null, "", address);
    this.page.address.value = address;
  }

  #setState(state) {
    this.#state = state;
    this.#dirty = true;
    this.#updateControls();
  }

  async #shoot() {
    if (!this.#ready) return;
    const { shot } = this.#aim;
    this.#aim.release();
    if (!(await this.#fly([...this.#game.shots, shot], true))) return;
    this.#show(true);
  }

  // Plays the last shot from its release; its bird can be tapped where it is `fresh`.
  #show(fresh = false) {
    this.#fresh = fresh;
    this.#video = null;
    const { steps, flight } = this.#game;
    this.#playback.begin(steps, flight.stepSeconds);
    this.overlays.show(null);
    this.#setState("flying");
    this.page.time.max = String(steps);
  }

  #replay() {
    if (this.#game.flight && this.#state !== "waiting") this.#show();
  }

  // The server flies the shot anew with the tap: it is the same up to there, so nobody sees it.
  async #tap() {
    if (!this.#canTap) return;
    const game = this.#game, step = Math.ceil(this.#playback.position);
    this.#state = "waiting";
    try {
      this.#fresh = !(await game.tap(step, this.#twinNovelty)); // one that was too early may be tried again
      this.say(this.#fresh ? "The power cannot be used now." : "Power used.");
    } catch (error) {
      this.say(error.message);
    }
    if (this.#game !== game) return;
    this.#share();
    this.#playback.length = game.steps;
    this.page.time.max = String(game.steps);
    this.#setState("flying");
  }

  get #canTap() {
    const { flight } = this.#game;
    return this.#state === "flying" && this.#fresh && flight.before.bird.power;
  }

  async #takeBack(shots) {
    if (this.#state === "waiting") return;
    this.#aim.release();
    if (await this.#fly(shots, false)) this.#stand();
    this.say(shots.length ? `Back to after shot ${shots.length}.` : "Back to the start.");
  }

  // Nothing flies: the next bird may be aimed.
  #stand() {
    this.#setState("standing");
    if (this.#game.over) this.say(this.#scene.cleared
      ? `Level cleared with ${this.#scene.score} points.` : `No bird is left; ${this.#scene.score} points.`);
    this.#look();
  }

  async #look() {
    this.overlays.show(null);
    if (!this.overlays.any) return;
    const game = this.#game, shots = game.shots;
    try {
      const insight = await game.insight(this.#novelty);
      if (this.#game !== game || game.shots !== shots || this.#state !== "standing") return;
      this.overlays.show(insight);
      this.#dirty = true;
    } catch (error) {
      this.say(error.message);
    }
  }

  #describeNovelty() {
    const { novelties } = this.#game.level;
    this.page.described.textContent = novelties.find(({ name }) => name === this.#novelty)?.description ?? "";
    this.page.twins.disabled = this.#novelty === "";
    if (this.#novelty === "") this.page.twins.checked = false;
  }

  // --- What is shown

  #loop() {
    const game = this.#game;
    this.#last = performance.now();
    const frame = (now) => {
      if (this.#game !== game) return;
      const seconds = Math.min((now - this.#last) / 1000, LONGEST_FRAME_S);
      this.#last = now;
      if (this.#state === "flying" && !this.#playback.paused) {
        this.#playback.advance(seconds);
        this.#dirty = true;
        if (this.#playback.atEnd) this.#ended();
      }
      if (this.#dirty) this.#draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  async #ended() {
    this.#draw();
    const video = this.#video;
    this.#video = null;
    this.#stand();
    const { apart, first, normal } = this.#game.twins ?? {};
    if (apart) this.page.apart.textContent = first === undefined ? "The two worlds are never visibly apart."
      : `First apart after ${(first * normal.stepSeconds).toFixed(2)} s.`;
    if (video) {
      await video.save(`${this.#game.level.name}-${this.#game.shots.length}`);
      this.say("The video is saved.");
    }
  }

  #draw() {
    this.#dirty = false;
    const { page } = this;
    const flying = this.#showsFlight;
    for (const [index, { view }] of this.#shownPanes.entries())
      if (flying) this.#drawFlight(view, index);
      else this.#drawStanding(view);
    page.time.value = String(Math.round(flying ? this.#playback.position : Number(page.time.max)));
    const seconds = this.#playback.seconds;
    page.clock.textContent = `${seconds.toFixed(2)} s`;
    page.time.setAttribute("aria-valuetext", `${seconds.toFixed(2)} seconds`);
    this.#writeScore(flying ? this.#game.flight.before : this.#scene,
      flying ? this.#game.flight.pointsUntil(this.#playback.position) : 0);
    this.#video?.add();
  }

  #writeScore({ score, birds, pigs }, gained) {
    const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
    this.page.score.textContent =
      `${score + gained} points, ${counted(birds, "bird")}, ${counted(pigs, "pig")}`;
  }

  // A shot stays in sight while the server is asked about its tap.
  get #showsFlight() {
    return this.#game.flight !== null && !this.#playback.atEnd &&
      (this.#state === "flying" || (this.#state === "waiting" && this.#playback.position > 0));
  }

  #drawFlight(view, index) {
    const { twins, flight: only } = this.#game;
    const flight = twins ? (index === 0 ? twins.normal : twins.novel) : only;
    const position = Math.min(this.#playback.position, flight.steps);
    view.draw({
      scene: flight.before, bodies: flight.bodiesAt(position), events: flight.events,
      seconds: this.#playback.seconds, apart: this.#game.apartAt(Math.floor(this.#playback.position)),
    });
  }

  #drawStanding(view) {
    const scene = this.#scene, bodies = standingBodies(scene, this.#aim.heldAt(scene));
    view.draw({ scene, bodies });
    if (this.#aim.pulled && scene.bird) view.dots(this.#aim.flightPoints(scene), "#20303fc8", 2.2);
    if (this.#state === "standing" && !this.#aim.pulled) this.overlays.draw(view, bodies);
  }

  #updateControls() {
    const { page } = this;
    const game = this.#game;
    if (!game) return;
    const flying = this.#state === "flying";
    page.shoot.disabled = !this.#ready;
    page.tap.disabled = !this.#canTap;
    page.replay.disabled = this.#state === "waiting" || !game.flight;
    page.undo.disabled = page.restart.disabled = this.#state === "waiting" || game.shots.length === 0;
    page.video.disabled = page.replay.disabled || !videoFormat();
    page.pause.disabled = page.time.disabled = !flying;
    page.pause.textContent = flying && this.#playback.paused ? "Go on" : "Pause";
    for (const { canvas } of this.panes) canvas.dataset.state = this.#state; // what a test waits for
    if (!page.twins.checked) page.apart.textContent = "";
  }

  // --- What comes from the player

  #listen() {
    const { page } = this;
    const on = (id, event, act) => page[id].addEventListener(event, () => this.#game && act());
    on("shoot", "click", () => this.#shootAsWritten());
    on("tap", "click", () => this.#tap());
    on("replay", "click", () => this.#replay());
    on("undo", "click", () => this.#undo());
    on("restart", "click", () => this.#takeBack([]));
    on("pause", "click", () => this.#pause());
    on("time", "input", () => {
      this.#playback.paused = true;
      this.#playback.seek(Number(page.time.value));
      this.#setState("flying");
    });
    on("speed", "change", () => { this.#playback.speed = Number(page.speed.value); });
    for (const id of ["angle", "stretch"]) on(id, "input", () => this.#aimAsWritten());
    on("world", "change", () => this.#changeWorld());
    on("asked", "change", () => this.#changeNovelty());
    on("twins", "change", () => this.#changeTwins());
    for (const id of ["targets", "impacted", "difficulty"]) on(id, "change", () => this.#changeOverlays());
    on("target", "change", () => { this.overlays.describe(); this.#dirty = true; });
    on("copy", "click", () => this.#copy());
    on("video", "click", () => this.#saveVideo());
    addEventListener("resize", () => this.#game && this.#arrange());
    for (const { canvas, view } of this.panes) {
      new BirdInput(canvas, view, this.#player());
      canvas.addEventListener("keydown", (event) => this.#pressKey(event));
    }
  }

  // What hand and keys act on.
  #player() {
    const screen = this;
    return {
      get ready() { return screen.#ready; },
      get flying() { return screen.#state === "flying"; },
      get aim() { return screen.#aim; },
      get scene() { return screen.#scene; },
      aimed: () => this.#writeAim(),
      say: this.say,
      shoot: () => this.#shoot(),
      tap: () => this.#tap(),
      pointAt: (point) => this.#chooseAt(point),
    };
  }

  // A bird may be aimed.
  get #ready() { return this.#state === "standing" && !this.#game.over; }

  // The nearest target is described.
  #chooseAt({ x, y }) {
    if (this.#state !== "standing") return;
    const near = (this.overlays.insight?.targets ?? []).map(({ id }) => {
      const [ox, oy] = this.#scene.objects.find((object) => object.id === id).pose;
      return { id, far: Math.hypot(ox / 1000 - x, oy / 1000 - y) };
    }).sort((a, b) => a.far - b.far)[0];
    if (near && near.far < 1) this.overlays.choose(near.id);
    this.#dirty = true;
  }

  // The aim has changed, by hand or by keys.
  #writeAim() {
    this.page.angle.value = String(this.#aim.degrees);
    this.page.stretch.value = String(this.#aim.stretch);
    this.#dirty = true;
  }

  #aimAsWritten() {
    const { angle, stretch } = this.page;
    if ([angle, stretch].some((input) => input.value === "" || !input.checkValidity())) return false;
    this.#aim.set(Number(angle.value), Number(stretch.value));
    this.#aim.pulled = this.#ready;
    this.#dirty = true;
    return true;
  }

  #shootAsWritten() {
    const { angle, stretch } = this.page;
    if (this.#aimAsWritten()) this.#shoot();
    else this.say(`Angle: ${angle.min} to ${angle.max} degrees; pull: ${stretch.min} to ${stretch.max}.`);
  }

  #pressKey(event) {
    if (!this.#game || event.ctrlKey || event.altKey || event.metaKey) return;
    const act = {
      p: () => this.#pause(), v: () => this.#replay(), u: () => this.#undo(),
      ",": () => this.#step(-1), ".": () => this.#step(1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #pause() {
    if (this.#state !== "flying") return;
    this.#playback.paused = !this.#playback.paused;
    this.#updateControls();
  }

  #step(direction) {
    if (this.#state !== "flying") return;
    this.#playback.step(direction);
    this.#setState("flying");
  }

  #undo() {
    if (this.#game.shots.length) this.#takeBack(this.#game.shots.slice(0, -1));
  }

  async #changeWorld() {
    if (this.page.world.value) this.page.asked.value = this.page.world.value;
    await this.#begin(new Game(this.#game.level, this.page.world.value), []);
    this.#loop();
  }

  async #changeNovelty() {
    this.#describeNovelty();
    await this.#changeTwins();
  }

  // The last shot again, in one world or in both.
  async #changeTwins() {
    this.#arrange();
    if (!(await this.#fly(this.#game.shots, false))) return;
    if (this.#game.twins) this.#show();
    else this.#stand();
  }

  #changeOverlays() {
    this.overlays.describe();
    if (this.#state === "standing" && this.overlays.any && !this.overlays.insight) this.#look();
    this.#dirty = true;
  }

  async #copy() {
    this.page.address.select();
    try {
      await navigator.clipboard.writeText(this.page.address.value);
      this.say("The address is copied.");
    } catch {
      this.say("Copy the address with Ctrl+C.");
    }
  }

  #saveVideo() {
    this.#replay();
    this.#playback.speed = 1;
    this.page.speed.value = "1";
    this.#video = new VideoRecording(
      this.#shownPanes.map(({ canvas, caption }) => ({ canvas, caption: caption.textContent })));
    this.say("The video is recorded while the shot plays.");
  }
}
