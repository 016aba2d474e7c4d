// A video of the shot that is shown, recorded from the canvas while it plays.

const formats = ["video/mp4", "video/webm"];

export const videoFormat = () =>
  (window.MediaRecorder ? formats.find((type) => MediaRecorder.isTypeSupported(type)) : undefined);

export class VideoRecording {
  // `canvases`: beside each other in the video, each under its caption.
  constructor(panes) {
    this.panes = panes;
    this.picture = document.createElement("canvas");
    this.picture.width = panes.reduce((sum, { canvas }) => sum + canvas.width + 4, -4);
    this.picture.height = Math.max(...panes.map(({ canvas }) => canvas.height));
    this.type = videoFormat();
    this.recorder = new MediaRecorder(this.picture.captureStream(60),
      { mimeType: this.type, videoBitsPerSecond: 8e6 });
    this.parts = [];
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.add();
    this.recorder.start();
  }

  // What the canvases show now.
  add() {
    const context = this.picture.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, this.picture.width, this.picture.height);
    let x = 0;
    for (const { canvas, caption } of this.panes) {
      context.drawImage(canvas, x, 0);
      if (caption) {
        context.font = "600 18px system-ui, sans-serif";
        context.fillStyle = "#16202ed0";
        context.fillRect(x + 8, 8, context.measureText(caption).width + 16, 28);
        context.fillStyle = "#ffffff";
        context.fillText(caption, x + 16, 28);
      }
      x += canvas.width + 4;
    }
  }

  async save(name) {
    const stopped = new Promise((resolve) => { this.recorder.onstop = resolve; });
    this.recorder.stop();
    await stopped;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(this.parts, { type: this.type }));
    link.download = `${name}.${this.type === "video/mp4" ? "mp4" : "webm"}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
