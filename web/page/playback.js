// The clock of a shot that is shown.

export class Playback {
  position = 0; // steps since the release, with a fraction
  length = 0;
  paused = true;
  speed = 1;
  #stepSeconds = 0.02;

  begin(length, stepSeconds) {
    this.length = length;
    this.#stepSeconds = stepSeconds;
    this.position = 0;
    this.paused = false;
  }

  get seconds() { return this.position * this.#stepSeconds; }
  get atEnd() { return this.position >= this.length; }

  advance(seconds) {
    if (!this.paused) this.seek(this.position + (seconds * this.speed) / this.#stepSeconds);
  }

  seek(position) {
    this.position = Math.min(Math.max(position, 0), this.length);
  }

  // To the next whole step, or the one before; pauses.
  step(direction) {
    this.paused = true;
    this.seek(direction > 0 ? Math.floor(this.position) + 1 : Math.ceil(this.position) - 1);
  }
}
