// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading values from the plots of a report, by pointer and keyboard, and looking at a part of one more closely.
// The page says everything without this script. It makes no request and keeps nothing.
"use strict";
(() => {
  const EXTENT = 1000; // the plot's area, both ways (plot.h)
  const NAMESPACE = "http://www.w3.org/2000/svg";

  const numbers = (text) => text === "" ? [] : text.split(" ").map(Number);
  const shape = (name, kind) => {
    const made = document.createElementNS(NAMESPACE, name);
    made.setAttribute("class", kind);
    return made;
  };
  const set = (element, attributes) => {
    for (const key in attributes)
      element.setAttribute(key, attributes[key]);
  };

  class Plot {
    constructor(figure) {
      this.figure = figure;
      this.chart = figure.querySelector(".chart");
      this.area = figure.querySelector(".area");
      this.from = 0;
      this.to = EXTENT;
      this.at = -1; // the point shown, of the first series
      this.series = this.read();
      if (this.series.length !== 0)
        this.prepare();
    }

    read() {
      return Array.from(this.figure.querySelectorAll(".series"), (group) => ({
        name: group.dataset.name,
        x: numbers(group.dataset.x),
        y: numbers(group.dataset.y),
        labels: group.dataset.labels.split("|"),
      })).filter((series) => series.x.length !== 0);
    }

    label(series, i) {
      return series.labels[i];
    }

    prepare() {
      const figure = this.figure;
      this.readout = document.createElement("p");
      this.readout.className = "readout";
      this.readout.setAttribute("aria-live", "polite");
      figure.append(this.readout);
      this.cursor = shape("line", "cursor");
      this.chosen = shape("rect", "chosen");
      this.dots = this.series.map(() => shape("circle", "dot"));
      this.chart.setAttribute("tabindex", "0");
      this.chart.setAttribute("aria-roledescription", "plot; arrow keys read values, plus and minus zoom");
      this.listen();
    }

    // The plot's own coordinate under the pointer.
    across(event) {
      const box = this.area.getBoundingClientRect();
      // An inner svg's box may be that of its contents: the frame drawn around it is exact.
      const frame = this.chart.querySelector(".edge").getBoundingClientRect();
      const width = frame.width || box.width;
      const share = (event.clientX - frame.left) / width;
      return this.from + Math.min(Math.max(share, 0), 1) * (this.to - this.from);
    }

    nearest(series, x) {
      let best = 0;
      for (let i = 1; i < series.x.length; ++i)
        if (Math.abs(series.x[i] - x) < Math.abs(series.x[best] - x))
          best = i;
      return best;
    }

    show(x) {
      const frame = this.chart.querySelector(".edge");
      const left = Number(frame.getAttribute("x"));
      const top = Number(frame.getAttribute("y"));
      const width = Number(frame.getAttribute("width"));
      const height = Number(frame.getAttribute("height"));
      const place = (value) => left + (value - this.from) / (this.to - this.from) * width;
      const said = [];
      this.series.forEach((series, number) => {
        const i = this.nearest(series, x);
        if (number === 0)
          this.at = i;
        said.push((series.name ? series.name + ": " : "") + this.label(series, i));
        const seen = series.x[i] >= this.from && series.x[i] <= this.to;
        set(this.dots[number], {cx: place(series.x[i]), cy: top + series.y[i] / EXTENT * height, r: seen ? 4 : 0});
      });
      const at = place(this.series[0].x[this.at]);
      set(this.cursor, {x1: at, x2: at, y1: top, y2: top + height});
      this.chart.append(this.cursor, ...this.dots);
      this.readout.textContent = said.join(" · ");
    }

    hide() {
      this.cursor.remove();
      this.dots.forEach((dot) => dot.remove());
      this.readout.textContent = "";
      this.at = -1;
    }

    // Shows a part of the plot; the whole of it again if that is all.
    zoom(from, to) {
      const least = 10;
      if (to - from < least)
        return;
      this.from = Math.max(from, 0);
      this.to = Math.min(to, EXTENT);
      this.look();
      this.hide();
    }

    // Draws what `from` and `to` say.
    look() {
      const whole = this.from === 0 && this.to === EXTENT;
      this.area.setAttribute("viewBox", `${this.from} 0 ${this.to - this.from} ${EXTENT}`);
      const frame = this.chart.querySelector(".edge");
      const left = Number(frame.getAttribute("x"));
      const width = Number(frame.getAttribute("width"));
      for (const tick of this.chart.querySelectorAll(".below .tick")) {
        const at = (Number(tick.dataset.at) - this.from) / (this.to - this.from);
        tick.setAttribute("x", left + at * width);
        tick.setAttribute("visibility", at < -0.001 || at > 1.001 ? "hidden" : "visible");
      }
      if (whole && this.reset) {
        this.reset.remove();
        this.reset = null;
      } else if (!whole && !this.reset) {
        this.reset = document.createElement("button");
        this.reset.type = "button";
        this.reset.className = "whole";
        this.reset.textContent = "show all of it";
        this.reset.addEventListener("click", () => this.zoom(0, EXTENT));
        this.chart.after(this.reset);
      }
    }

    drag(x) {
      const frame = this.chart.querySelector(".edge");
      const left = Number(frame.getAttribute("x"));
      const width = Number(frame.getAttribute("width"));
      const place = (value) => left + (value - this.from) / (this.to - this.from) * width;
      const [low, high] = [Math.min(x, this.dragged), Math.max(x, this.dragged)];
      set(this.chosen, {x: place(low), width: place(high) - place(low), y: frame.getAttribute("y"), height: frame.getAttribute("height")});
      this.chart.append(this.chosen);
    }

    key(event) {
      const series = this.series[0];
      const last = series.x.length - 1;
      const middle = this.at < 0 ? (this.from + this.to) / 2 : series.x[this.at];
      const span = this.to - this.from;
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        const next = this.at < 0 ? 0 : this.at + (event.key === "ArrowRight" ? 1 : -1);
        this.show(series.x[Math.min(Math.max(next, 0), last)]);
      } else if (event.key === "Home" || event.key === "End")
        this.show(series.x[event.key === "Home" ? 0 : last]);
      else if (event.key === "+")
        this.zoom(middle - span / 4, middle + span / 4);
      else if (event.key === "-")
        this.zoom(middle - span, middle + span);
      else if (event.key === "Escape")
        this.zoom(0, EXTENT);
      else
        return;
      event.preventDefault();
    }

    listen() {
      this.dragged = null;
      this.chart.addEventListener("pointermove", (event) => {
        this.show(this.across(event));
        if (this.dragged !== null)
          this.drag(this.across(event));
      });
      this.chart.addEventListener("pointerleave", () => {
        if (this.dragged === null)
          this.hide();
      });
      this.chart.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "mouse" || event.button !== 0)
          return;
        this.chart.setPointerCapture(event.pointerId);
        this.dragged = this.across(event);
        event.preventDefault();
        this.chart.focus({preventScroll: true});
      });
      this.chart.addEventListener("pointerup", (event) => {
        if (this.dragged === null)
          return;
        const x = this.across(event);
        const [low, high] = [Math.min(x, this.dragged), Math.max(x, this.dragged)];
        this.dragged = null;
        this.chosen.remove();
        this.zoom(low, high);
      });
      this.chart.addEventListener("dblclick", () => this.zoom(0, EXTENT));
      this.chart.addEventListener("keydown", (event) => this.key(event));
      this.chart.addEventListener("blur", () => this.hide());
    }
  }

  // Plots of the live page grow: web/live.js makes them.
  globalThis.CulpritPlot = Plot;
  for (const figure of document.querySelectorAll(".plot"))
    if (!figure.closest(".live"))
      new Plot(figure);

  // Paper has no clicks: what is folded is printed, and folded again.
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0))
      details.open = false;
  });
})();
