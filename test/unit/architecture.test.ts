import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { circlesOf, mermaidOf, serviceEdges } from "../support/service-graph.ts";

const PAGE = new URL("../../docs/architecture.md", import.meta.url);
const PICTURE = /```mermaid\n[^]*?\n```/;

describe("calls and events between services", () => {
  const edges = serviceEdges();

  test("are those of the picture in docs/architecture.md (RECORD_ARCHITECTURE=1 redraws it)", () => {
    const page = readFileSync(PAGE, "utf8");
    const drawn = page.replace(PICTURE, `\`\`\`mermaid\n${mermaidOf(edges)}\n\`\`\``);
    if (process.env.RECORD_ARCHITECTURE) writeFileSync(PAGE, drawn);
    else expect(page).toBe(drawn);
  });

  test("make no circle", () => {
    expect(circlesOf(edges)).toEqual([]);
  });

  test("are found: calls, durable events, those that a service hears with all others, and plain ones", () => {
    expect(edges).toEqual(
      expect.arrayContaining([
        { from: "payment", to: "cart", by: "call" },
        { from: "payment", to: "catalog", by: "call" },
        { from: "analytics", to: "eventstore", by: "call" },
        { from: "user", to: "order", by: "user.deleted" },
        { from: "pipeline", to: "ai", by: "document.created" },
        { from: "cart", to: "eventstore", by: "cart.saved" },
        { from: "cart", to: "webhook", by: "cart.saved" },
        { from: "eventstore", to: "analytics", by: "eventstore.appended", isPlain: true },
      ]),
    );
  });
});

test("a service loads the files of others in the core by their types alone: cart a few dozen in all", () => {
  const count = `
    const { registerHooks } = require("node:module");
    const own = new Set();
    const load = (url, context, next) => (/\\/(node_modules|packages)\\//.test(url) || own.add(url), next(url, context));
    registerHooks({ load });
    import("./services/cart/cart.service.ts").then(() => console.log([...own].filter((url) => url.startsWith("file:")).length))`;
  const options = { cwd: new URL("../..", import.meta.url), encoding: "utf8" } as const;
  const loaded = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", count], options);
  expect(Number(loaded)).toBeGreaterThan(10);
  expect(Number(loaded)).toBeLessThanOrEqual(60);
});
