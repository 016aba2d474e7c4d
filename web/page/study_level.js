// A level of a study on its canvas: aim, flight, tap. What a shot does comes from the server.
import { Aim } from "./aim.js";
import { Sprites } from "./artwork.js";
import { BirdInput } from "./bird_input.js";
import { Flight, standingBodies } from "./flight.js";
import { Playback } from "./playback.js";
import { SceneView } from "./scene_view.js";

const ROOM = 0.62; // of the window's height
const LONGEST_FRAME_S = 0.1; // after a stall the shot goes on where it was

export class StudyLevel {
  #aim = new Aim();
  #playback = new Playback();
  #state = "closed"; // "standing", "flying", "waiting" for the server
  #flight = null;
  #tapped = null; // seconds
  #path = [];
  #last = 0;
  #dirty = false;

  // `study`: mayShoot, shoot(shot), tap(seconds) with the flight or null, ended(tap), say(text).
  constructor(canvas, study) {
    Object.assign(this, { canvas, study, view: new SceneView(canvas) });
    new BirdInput(canvas, this.view, this.#player());
    canvas.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.#putBack(); });
    addEventListener("resize", () => this.fit());
    requestAnimationFrame((now) => this.#frame(now));
  }

  get flying() { return this.#flight !== null; }
  // Birds and pigs as they are to be counted: the bird in flight is no longer one of those left.
  get counts() {
    const { birds, pigs } = this.#flight?.before ?? this.scene;
    return { birds: birds - (this.flying ? 1 : 0), pigs };
  }

  enter({ scene, art }, landscape) {
    this.landscape = landscape;
    this.scene = this.start = scene;
    this.sprites = new Sprites(art);
    this.#aim = new Aim();
    this.#flight = null;
    this.#path = [];
    this.#setState("standing");
  }

  close() {
    this.#flight = null;
    this.#setState("closed");
  }

  // To the room that the page has now.
  fit() {
    if (this.#state === "closed") return;
    this.view.open(this.sprites, this.landscape, this.start.box, ROOM * innerHeight);
    this.#dirty = true;
  }

  // A shot that the server has flown.
  fly({ before, trace, path }) {
    this.#flight = new Flight(trace, before);
    this.#tapped = null;
    this.#path = path;
    this.#playback.begin(this.#flight.steps, this.#flight.stepSeconds);
    this.#setState("flying");
  }

  // The shot has ended and left this.
  stand(scene) {
    this.scene = scene;
    this.#flight = null;
    this.#setState("standing");
  }

  #setState(state) {
    this.#state = this.canvas.dataset.state = state; // what a test waits for
    this.#dirty = true;
  }

  get #ready() {
    return this.#state === "standing" && this.study.mayShoot && !this.scene.cleared && this.scene.birds > 0;
  }

  #putBack() {
    this.#aim.release();
    this.#dirty = true;
  }

  async #shoot() {
    if (!this.#ready || !this.#aim.pulled) return;
    const { degrees, stretch } = this.#aim.shot;
    this.#aim.release();
    this.#setState("waiting");
    await this.study.shoot({ angle: degrees * (Math.PI / 180), stretch });
    if (this.#state === "waiting") this.#setState("standing"); // it could not be stored
  }

  // The server flies the shot anew with the tap: it is the same up to there, so nobody sees it.
  async #tap() {
    const flight = this.#flight;
    if (this.#state !== "flying" || this.#tapped !== null || !flight.before.bird.power) return;
    const seconds = Math.round(Math.ceil(this.#playback.position) * flight.stepSeconds * 1e9) / 1e9;
    this.#setState("waiting");
    const tapped = await this.study.tap(seconds);
    if (this.#flight !== flight) return;
    if (tapped) {
      this.#tapped = seconds;
      this.#flight = new Flight(tapped.trace, tapped.before);
      this.#path = tapped.path;
      this.#playback.length = this.#flight.steps;
    }
    this.#setState("flying");
  }

  // What hand and keys act on.
  #player() {
    const level = this;
    return {
      get ready() { return level.#ready; },
      get flying() { return level.#state === "flying"; },
      get aim() { return level.#aim; },
      get scene() { return level.scene; },
      aimed: () => { level.#dirty = true; },
      say: () => level.study.say(`${level.#aim.degrees}°, ${Math.round(100 * level.#aim.stretch)} %`),
      shoot: () => level.#shoot(),
      tap: () => level.#tap(),
      pointAt: () => {},
    };
  }

  #frame(now) {
    const seconds = Math.min((now - this.#last) / 1000, LONGEST_FRAME_S);
    this.#last = now;
    if (this.#state === "flying") {
      this.#playback.advance(seconds);
      this.#dirty = true;
      if (this.#playback.atEnd) {
        this.#setState("waiting");
        this.study.ended(this.#tapped);
      }
    }
    if (this.#dirty && this.#state !== "closed") this.#draw();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #draw() {
    this.#dirty = false;
    const { view, scene } = this;
    const flight = this.#flight;
    if (flight) {
      const position = Math.min(this.#playback.position, flight.steps);
      view.draw({ scene: flight.before, bodies: flight.bodiesAt(position), events: flight.events,
        seconds: this.#playback.seconds });
      return;
    }
    view.draw({ scene, bodies: standingBodies(scene, this.#aim.heldAt(scene)) });
    view.dots(this.#path.map(([x, y]) => ({ x, y })), "#ffffffb0", 2);
    if (this.#aim.pulled && scene.bird) view.dots(this.#aim.flightPoints(scene), "#20303fc8", 2.2);
  }
}
