// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live page of culprit watch: shows what comes by events (report/live/events.h). Plots are drawn into the figures
// the page came with, in the coordinates of report/html/plot.h, so that reading values and zooming are those of a report.
// Axes and texts come from culprit; what is kept here is bounded, because culprit thins and then sends all of it anew.
"use strict";
(() => {
  const EXTENT = 1000;
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const made = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined)
      element.textContent = text;
    if (kind)
      element.className = kind;
    return element;
  };
  const shape = (name, attributes, text) => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const key in attributes)
      element.setAttribute(key, attributes[key]);
    if (text !== undefined)
      element.textContent = text;
    return element;
  };
  const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
  const size = (bytes) => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    for (; bytes >= 1000 && unit < units.length - 1; ++unit)
      bytes /= 1000;
    return (unit === 0 ? bytes : bytes.toFixed(1)) + " " + units[unit];
  };
  const valueText = (unit, value) => unit === "%" ? value.toFixed(1) + " %" : unit === "bytes" ? size(value) : grouped(value);

  class LivePlot extends globalThis.CulpritPlot {
    constructor(box) {
      super(box.querySelector(".plot"));
      this.box = box;
      this.now = box.querySelector(".now");
      this.data = {x: [], y: []};
    }

    read() {
      return []; // it has none to begin with
    }

    label(series, i) {
      return valueText(this.unit, this.data.y[i]) + " after " + grouped(this.data.x[i]) + " units of work";
    }

    take(metric, replace) {
      if (replace) {
        this.data = {x: [], y: []};
        this.unit = metric.unit;
        this.range = metric.range;
        this.bar = metric.bar;
      }
      for (let i = 0; i < metric.x.length; ++i) {
        this.data.x.push(metric.x[i]);
        this.data.y.push(metric.y[i]);
      }
      this.metric = metric;
    }

    draw(axis) {
      if (!this.metric)
        return;
      // What is looked at closely stays in view while the run goes on.
      if (this.high && (this.from !== 0 || this.to !== EXTENT)) {
        this.from *= this.high / axis.high;
        this.to *= this.high / axis.high;
      }
      this.high = axis.high;
      const {low, high} = this.metric.axis;
      const across = (x) => x / axis.high * EXTENT;
      const down = (y) => (1 - (high > low ? (y - low) / (high - low) : 0.5)) * EXTENT;
      const series = {name: "", x: this.data.x.map(across), y: this.data.y.map(down)};
      this.drawAxes(axis, this.metric.axis, down, across);
      this.drawBand(down);
      this.drawLines(series);
      this.say();
      if (series.x.length === 0)
        return;
      this.series = [series];
      if (!this.readout)
        this.prepare();
      this.look();
      if (this.at >= 0)
        this.show(series.x[Math.min(this.at, series.x.length - 1)]);
    }

    drawAxes(axis, own, down, across) {
      const edge = this.chart.querySelector(".edge");
      const [left, top, width, height] = ["x", "y", "width", "height"].map((key) => Number(edge.getAttribute(key)));
      for (const old of this.chart.querySelectorAll(":scope > .grid, :scope > .tick"))
        old.remove();
      for (const [value, text] of own.ticks) {
        const y = top + down(value) / EXTENT * height;
        this.area.before(shape("line", {class: "grid", x1: left, x2: left + width, y1: y, y2: y}),
                         shape("text", {class: "tick", "text-anchor": "end", x: left - 6, y: y + 4}, text));
      }
      const below = this.chart.querySelector(".below");
      below.replaceChildren(...axis.ticks.map(([value, text]) => shape("text", {
        class: "tick", "text-anchor": "middle", "data-at": across(value), x: left + across(value) / EXTENT * width, y: top + height + 16,
      }, text)));
    }

    drawBand(down) {
      const band = this.area.querySelector(".band");
      if (!band || !this.range)
        return;
      const thinnest = 6; // as in plot.cpp
      const top = down(this.range[1]);
      band.setAttribute("y", top);
      band.setAttribute("height", Math.max(down(this.range[0]) - top, thinnest));
      this.area.querySelectorAll(".bar").forEach((line, i) => {
        line.setAttribute("y1", down(this.bar[i]));
        line.setAttribute("y2", down(this.bar[i]));
      });
    }

    drawLines(series) {
      const group = this.area.querySelector(".series");
      const at = (i) => series.x[i].toFixed(1) + " " + series.y[i].toFixed(1);
      let line = "";
      let outside = "";
      let leaving = false;
      for (let i = 0; i < series.x.length; ++i) {
        line += (i === 0 ? "M" : "L") + at(i);
        const beyond = this.range && (this.data.y[i] < this.range[0] || this.data.y[i] > this.range[1]);
        if (beyond && !leaving)
          outside += "M" + at(Math.max(i - 1, 0));
        if (beyond)
          outside += "L" + at(i);
        leaving = beyond;
      }
      group.querySelector(".line").setAttribute("d", series.x.length === 1 ? line + "h0.1" : line);
      let path = group.querySelector(".outside");
      if (!path && outside)
        group.append(path = shape("path", {class: "outside"}));
      if (path)
        path.setAttribute("d", outside);
    }

    say() {
      const {now, standing} = this.metric;
      this.now.replaceChildren(made("strong", now));
      if (standing)
        this.now.append(" · ", made("span", standing, "standing"));
      this.box.classList.toggle("close", standing.startsWith("near"));
      this.box.classList.toggle("beyond", standing.startsWith("outside"));
      const title = this.figure.querySelector("figcaption").textContent;
      this.chart.setAttribute("aria-label", `${title}: now ${now}${standing ? ", " + standing : ""}`);
    }
  }

  const plots = new Map();
  for (const box of document.querySelectorAll(".metric"))
    plots.set(box.dataset.name, new LivePlot(box));

  const title = document.title;
  const latest = {axis: null, status: "", phase: "", totals: [], stacks: [], findings: [], thinned: ""};
  let paused = false;
  let lost = false;
  let asked = false;
  let ended = false;

  const drawStatus = () => {
    const status = byId("status");
    const text = lost ? latest.status + "; the connection to culprit is lost" : paused ? latest.status + "; paused" : latest.status;
    if (status.textContent !== text)
      status.textContent = text;
    const judged = latest.phase === "judged";
    status.className = "verdict " + (!judged ? latest.phase : latest.findings.length ? "bad" : "good");
    const name = (latest.phase === "judged" ? "ended" : latest.phase) + " – " + title;
    if (document.title !== name)
      document.title = name;
  };

  const drawTotals = () => {
    byId("totals").replaceChildren(...latest.totals.map(([name, value]) => {
      const pair = made("div");
      pair.append(made("dt", name), made("dd", value));
      return pair;
    }));
  };

  const drawStacks = () => {
    const section = byId("stacks");
    if (latest.stacks.length === 0)
      return;
    section.querySelector(".meaning").textContent =
        "Innermost function first; the most frequent stacks of each moment, the latest metric first.";
    const pane = section.querySelector(".stacks");
    pane.replaceChildren();
    let why = "";
    for (const stack of latest.stacks) {
      if (stack.why !== why)
        pane.append(made("h3", why = stack.why));
      const line = made("p", grouped(stack.count) + " × ", "chain");
      stack.frames.forEach(([name, place], i) => {
        line.append(i === 0 ? "" : " ← ", made("code", name));
        if (place)
          line.append(" ", made("span", place, "where"));
      });
      pane.append(line);
    }
  };

  const drawFindings = () => {
    byId("findings").hidden = latest.findings.length === 0;
    byId("findings").querySelector("ul").replaceChildren(...latest.findings.map((text) => made("li", text)));
    byId("findings").querySelector("h2").textContent = latest.phase === "judged" ? "Findings" : "Findings so far";
  };

  const changed = new Set();
  const draw = () => {
    asked = false;
    drawStatus();
    if (paused)
      return;
    drawTotals();
    if (changed.delete("findings"))
      drawFindings();
    if (changed.delete("stacks"))
      drawStacks();
    byId("thinned").textContent = latest.thinned;
    if (latest.axis)
      for (const plot of plots.values())
        if (!plot.box.hidden)
          plot.draw(latest.axis);
  };
  const askToDraw = () => {
    if (!asked)
      requestAnimationFrame(draw);
    asked = true;
  };

  const take = (event, replace) => {
    const news = JSON.parse(event.data);
    lost = false;
    for (const key of ["axis", "status", "phase", "totals", "stacks", "findings", "thinned"])
      if (news[key] !== undefined) {
        latest[key] = news[key];
        changed.add(key);
      }
    if (news.phase === "judged")
      changed.add("findings");
    for (const metric of news.metrics || [])
      plots.get(metric.name)?.take(metric, replace);
    askToDraw();
  };

  const pick = (box) => {
    plots.get(box.value).box.hidden = !box.checked;
    askToDraw();
  };
  for (const box of document.querySelectorAll(".pick input")) {
    box.addEventListener("change", () => pick(box));
    pick(box);
  }
  byId("pause").addEventListener("click", () => {
    paused = !paused;
    byId("pause").setAttribute("aria-pressed", String(paused));
    byId("pause").textContent = paused ? "Resume" : "Pause";
    askToDraw();
  });

  const source = new EventSource("events" + location.search);
  source.addEventListener("all", (event) => take(event, true));
  source.addEventListener("more", (event) => take(event, false));
  source.addEventListener("end", () => {
    ended = true;
    source.close();
    byId("pause").disabled = !paused;
  });
  source.addEventListener("error", () => {
    lost = !ended;
    askToDraw();
  });
})();
