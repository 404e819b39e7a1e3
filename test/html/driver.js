// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// driver.js PLAYWRIGHT_CORE CHROMIUM: playwright-core for browser.py, by lines of JSON.
//
// A line asks for a call of a page, {"page": 0, "call": "mouse.move", "with": [3, 4]}, and is answered by a line: {"value": …}, bytes
// in base 64, or {"error": "…"}. Calls that are no page's: "new" makes a page and answers its number, "heard" tells what it asked
// for and what was complained of since it was last sent somewhere. The end of the input is the end of the browser.
"use strict";
const {chromium} = require(process.argv[2]);
const PATIENCE = 120_000;
const pages = [];

function listen(page) {
  const heard = {requests: [], complaints: []};
  page.on("request", (request) => heard.requests.push(request.url()));
  page.on("console", (message) => heard.complaints.push(message.text()));
  page.on("pageerror", (error) => heard.complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    heard.complaints.push("a dialog: " + dialog.message());
    return dialog.dismiss();
  });
  return heard;
}

async function answer(browser, line) {
  const asked = JSON.parse(line);
  if (asked.call === "new") {
    const page = await browser.newPage({viewport: {width: 1200, height: 900}});
    page.setDefaultTimeout(PATIENCE);
    return pages.push({page, heard: listen(page)}) - 1;
  }
  const {page, heard} = pages[asked.page];
  if (asked.call === "heard")
    return heard;
  if (asked.call === "goto")
    heard.requests.length = heard.complaints.length = 0;
  const names = asked.call.split(".");
  const method = names.pop();
  const owner = names.reduce((object, name) => object[name], page);
  const value = await owner[method](...asked.with);
  if (asked.call === "goto")
    return null; // a response is no value
  return Buffer.isBuffer(value) ? value.toString("base64") : value;
}

async function main() {
  const browser = await chromium.launch({executablePath: process.argv[3], args: ["--disable-gpu", "--disable-dev-shm-usage"]});
  for await (const line of require("readline").createInterface({input: process.stdin})) {
    const said = await answer(browser, line).then((value) => ({value: value ?? null}), (error) => ({error: error.message}));
    process.stdout.write(JSON.stringify(said) + "\n");
  }
  await browser.close();
}

main();
