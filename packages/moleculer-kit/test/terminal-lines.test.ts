import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@jest/globals";
import { formatForTerminal } from "../src/terminal-lines.ts";

const time = new Date(2026, 10, 28, 17, 9, 29).toISOString();
const format = (line: object): string =>
  stripVTControlCharacters(formatForTerminal(JSON.stringify({ level: "warn", time, node: "node-1", ...line })));

test("a line on a terminal has time, level, service, message and fields", () => {
  const fields = { service: "calls", trace_id: "t-1", span_id: "s-1", request_id: "r-1", ms: 1200, why: "two words" };
  expect(format({ ...fields, msg: "Slow action", items: [1] })).toBe(
    '17:09:29 WARN  calls Slow action request_id=r-1 ms=1200 why="two words" items=[1]\n',
  );
});

test("an error follows with its stack and cause", () => {
  const err = {
    code: "E_GONE",
    name: "Error",
    message: "no answer",
    stack: "Error: no answer\n    at ask (a.ts:1:2)",
    cause: "Error: reset",
  };
  expect(format({ level: "error", msg: "It failed", err })).toBe(
    "17:09:29 ERROR It failed code=E_GONE\n    Error: no answer\n        at ask (a.ts:1:2)\n    caused by Error: reset\n",
  );
});

test("text from outside cannot steer the terminal or begin a line", () => {
  const hostile = "a\u001b[2J\u009b2Jb\r\nc\u202e";
  const printed = formatForTerminal(
    JSON.stringify({ level: "odd", time, msg: hostile, field: hostile, err: { stack: `Error: ${hostile}` } }),
  );
  expect(stripVTControlCharacters(printed)).toBe(
    '17:09:29 ODD   a[2J2Jb c field="a\\u001b[2J2Jb\\r\\nc"\n    Error: a[2J2Jb\n    c\n',
  );
});
