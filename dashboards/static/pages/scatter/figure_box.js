// A figure of the interface in its box: marks over two or three axes as `Scatter` draws them, all else by plotly.js.
import { draw, forget } from "../plot.js";
import { Scatter } from "../scatter.js";
import { scatterOf } from "./from_plotly.js";

export class FigureBox {
  // `onPick(key, label)` is told of a mark that is clicked, and whose it is.
  constructor(box, onPick) {
    Object.assign(this, { box, onPick, scatter: null });
  }

  async show(figure) {
    const marks = scatterOf(figure);
    if (marks) this.showMarks(marks, figure);
    else await this.showPlot(figure);
  }

  showMarks(marks, figure) {
    if (!this.scatter) {
      forget(this.box);
      this.scatter = new Scatter(this.box, { pick: (group, number) => this.onPick?.(group.data[number], group.label) });
    }
    this.scatter.show(marks, this.scatter.own);
    this.box.data = figure.data;
  }

  showPlot(figure) {
    this.scatter?.close();
    this.scatter = null;
    return draw(this.box, figure);
  }

  close() {
    if (this.scatter) this.scatter.close();
    else forget(this.box);
  }
}
