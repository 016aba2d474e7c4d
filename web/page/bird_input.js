// Mouse, touch and keys that aim, shoot and use the power, on one canvas.

const REACH = 36; // pixels around the bird
const LEAST_REACH = 0.7; // world units

export class BirdInput {
  #pointer = null; // that holds the bird

  // `player`: ready (a bird may be aimed), flying, aim, scene; aimed(), shoot(), tap(), pointAt(point) where
  // it is beside the bird, say(text).
  constructor(canvas, view, player) {
    Object.assign(this, { canvas, view, player });
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#letGo(event));
    canvas.addEventListener("pointercancel", (event) => this.#putBack(event));
    // A finger that holds the bird, or taps, does not move the page.
    canvas.addEventListener("touchstart", (event) => {
      if (player.flying || this.#onBird(event.touches[0])) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#pressKey(event));
  }

  #onBird(event) {
    const { player, view } = this;
    if (!player.ready) return false;
    const point = view.toWorld(event), held = player.aim.heldAt(player.scene);
    return Math.hypot(point.x - held.x, point.y - held.y) <= Math.max(view.reach(REACH), LEAST_REACH);
  }

  #press(event) {
    const { player, canvas } = this;
    if (event.button !== 0 || this.#pointer !== null) return;
    if (player.flying) {
      player.tap();
    } else if (this.#onBird(event)) {
      this.#pointer = event.pointerId;
      canvas.setPointerCapture(event.pointerId);
    } else {
      player.pointAt(this.view.toWorld(event));
    }
  }

  #move(event) {
    if (event.pointerId === this.#pointer) this.#drag(event);
    else this.canvas.style.cursor = this.#onBird(event) ? "grab" : "default";
  }

  #drag(event) {
    if (!this.player.ready) return;
    this.player.aim.dragTo(this.view.toWorld(event), this.player.scene);
    this.player.aimed();
  }

  #letGo(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    this.#drag(event);
    if (this.player.aim.pulled) this.player.shoot();
  }

  #putBack(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    this.player.aim.release();
    this.player.aimed();
  }

  #pressKey(event) {
    const { player } = this;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [degrees, pull] = event.shiftKey ? [0.1, 0.01] : [1, 0.05];
    const act = {
      ArrowUp: () => this.#nudge(degrees, 0), ArrowDown: () => this.#nudge(-degrees, 0),
      ArrowLeft: () => this.#nudge(0, pull), ArrowRight: () => this.#nudge(0, -pull),
      " ": () => (player.flying ? player.tap() : player.shoot()),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #nudge(degrees, pull) {
    const { player } = this;
    if (!player.ready) return;
    player.aim.nudge(degrees, pull);
    player.aimed();
    player.say(`${player.aim.degrees} degrees, pull ${player.aim.stretch}`);
  }
}
