import { expect, test } from "@jest/globals";
import { startEdge } from "./edge-client.ts";
import { useStarted } from "../../support/use-started.ts";

const edge = useStarted(() => startEdge(["payment"]));

test("the description comes as JSON, and not again to who has it", async () => {
  const first = await edge.ask("payment", "GET", "/openapi.json");
  expect([first.status, first.json.openapi]).toEqual([200, "3.1.1"]);
  const again = await edge.ask("payment", "GET", "/openapi.json", {
    headers: { "if-none-match": first.headers.etag! },
  });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, "", first.headers.etag]);
  const other = await edge.ask("payment", "GET", "/openapi.json", { headers: { "if-none-match": '"other"' } });
  expect(other.status).toBe(200);
});

test("the bare address leads to the interactive page, which a slash does not hide", async () => {
  const bare = await edge.ask("payment", "GET", "/");
  expect([bare.status, bare.headers.location]).toEqual([302, "/docs"]);
  const [page, slashed] = await Promise.all([
    edge.ask("payment", "GET", "/docs"),
    edge.ask("payment", "GET", "/docs/"),
  ]);
  expect([slashed.status, slashed.text, slashed.headers.etag]).toEqual([200, page.text, page.headers.etag]);
});

test("the interactive page needs nothing from anywhere else", async () => {
  const page = await edge.ask("payment", "GET", "/docs");
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';/);
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(links.length).toBeGreaterThanOrEqual(4);
  for (const link of links) {
    expect(link).toMatch(/^\/(docs\/|openapi\.json$)/);
    const asset = await edge.ask("payment", "GET", link);
    expect([link, asset.status, asset.headers["x-content-type-options"]]).toEqual([link, 200, "nosniff"]);
    expect(asset.headers.etag).toBeDefined();
  }
  expect((await edge.ask("payment", "GET", "/docs/start.js")).text).toContain("persistAuthorization: false");
  for (const path of ["/docs/../package.json", "/docs/%2e%2e/package.json", "/docs/index.html"]) {
    expect((await edge.ask("payment", "GET", path)).status).toBe(404);
  }
});
