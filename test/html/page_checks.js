// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with the page, as a list of sentences: for people who do not see it, see little, or use no mouse.
(() => {
  const wrong = [];
  const parse = (color) => {
    const parts = color.match(/[\d.]+/g).map(Number);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = parse(getComputedStyle(e).backgroundColor);
      if (color.alpha === 1)
        return color.rgb;
    }
    return [255, 255, 255];
  };
  // Contrast of all text.
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script, style") || !element.getClientRects().length)
      continue;
    const style = getComputedStyle(element);
    const ink = parse(element.namespaceURI.endsWith("svg") ? style.fill : style.color).rgb;
    const [high, low] = [luminance(ink), luminance(ground(element))].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    const name = element.tagName + "." + (element.getAttribute("class") || "");
    if (contrast < 4.5 && !seen.has(name)) {
      seen.add(name);
      wrong.push(`contrast of ${contrast.toFixed(1)} in ${name}`);
    }
  }
  // Headings that skip no level, below one of the first.
  const levels = Array.from(document.querySelectorAll("h1, h2, h3, h4"), (heading) => Number(heading.tagName[1]));
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1)
    wrong.push("not one heading of the first level");
  levels.forEach((level, i) => i > 0 && level > levels[i - 1] + 1 && wrong.push(`a heading skips to level ${level}`));
  for (const table of document.querySelectorAll("table"))
    if (!table.caption || !table.caption.textContent.trim())
      wrong.push("a table without caption");
  for (const cell of document.querySelectorAll("th"))
    if (!cell.scope)
      wrong.push("a heading of a table without scope");
  for (const picture of document.querySelectorAll("svg:not(svg svg)"))
    if (picture.getAttribute("aria-hidden") !== "true" && !(picture.getAttribute("role") === "img" && picture.getAttribute("aria-label")))
      wrong.push("a picture without words");
  for (const element of document.querySelectorAll("button, a, summary"))
    if (!element.textContent.trim())
      wrong.push(`${element.tagName} without words`);
  const ids = Array.from(document.querySelectorAll("[id]"), (element) => element.id);
  if (new Set(ids).size !== ids.length)
    wrong.push("an id twice");
  for (const element of document.querySelectorAll("[aria-labelledby]"))
    if (!document.getElementById(element.getAttribute("aria-labelledby")))
      wrong.push("labelled by nothing");
  if (!document.documentElement.lang || !document.title)
    wrong.push("no language or title");
  if (!document.querySelector("main") || !document.querySelector("header"))
    wrong.push("no landmarks");
  if (document.documentElement.scrollWidth > innerWidth)
    wrong.push(`wider than the window: ${document.documentElement.scrollWidth} of ${innerWidth}`);
  return wrong;
})()
