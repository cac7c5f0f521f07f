import { beforeAll, describe, expect, test } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";

/**
 * Of the suites that share a system, another one asks the dealer about 15964-8141, and shows that nobody had before.
 */
const NUMBER = "95614-0287";
const KEYS = [
  "available_for_purchase",
  "description",
  "estimated_delivery",
  "in_stock",
  "part_number",
  "pdf_link",
  "price",
  "quantity",
  "schemas",
  "stock_quantity",
];

describe("the parts desk over HTTP", () => {
  const system = useSystem();
  beforeAll(async () => {}, 180_000);

  const session = (): string => `desk-${Math.random().toString(36).slice(2)}-session`;

  test.each([
    ["ai", "/api/ai/query"],
    ["ai", "/query"],
    ["search", "/api/ai/query"],
    ["gateway", "/api/ai/query"],
  ] as const)("answers on %s at %s", async (entry, path) => {
    const { status, body } = await system.request(entry, "POST", path, { body: { query: `How much is ${NUMBER}?` } });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      "actions",
      "answer",
      "needs_confirmation",
      "parts",
      "store_link_question",
    ]);
    expect(body.parts).toHaveLength(1);
    expect(Object.keys(body.parts[0]).sort()).toEqual(KEYS);
    expect(body.parts[0]).toMatchObject({
      part_number: NUMBER,
      available_for_purchase: true,
      price: expect.any(Number),
      estimated_delivery: body.parts[0].in_stock ? "2 to 5 business days" : null,
    });
    expect(body.answer).toContain(`$${body.parts[0].price.toFixed(2)}`);
    expect(body).toMatchObject({ needs_confirmation: true, store_link_question: expect.any(String) });
  });

  test("a body that is no JSON is refused with { detail }", async () => {
    const { status, body } = await system.request("ai", "POST", "/query", {
      rawBody: "{",
      headers: { "content-type": "application/json" },
    });
    expect([status, body]).toEqual([400, { detail: "The body is not valid JSON" }]);
  });

  test("store links come with the flag, or after a yes under the same X-Session-Id, on every entry point", async () => {
    const withFlag = await system.request("gateway", "POST", "/api/ai/query", {
      body: { query: NUMBER, include_store_link: true },
    });
    expect(withFlag.body).toMatchObject({ needs_confirmation: false, store_link_question: null });
    const link = withFlag.body.parts[0].store_link as string;
    expect(link.startsWith(`${system.url("shop")}/parts/`)).toBe(true);

    const sessionId = session();
    const first = await system.request("gateway", "POST", "/api/ai/query", { body: { query: NUMBER }, sessionId });
    expect(first.body.parts[0]).not.toHaveProperty("store_link");
    const other = await system.request("ai", "POST", "/query", {
      body: { query: "yes, send me the links" },
      sessionId: session(),
    });
    expect(other.body.parts).toEqual([]);
    const confirmed = await system.request("ai", "POST", "/query", {
      body: { query: "yes, send me the links" },
      sessionId,
    });
    expect(confirmed.body.parts.map(({ store_link }: { store_link: string }) => store_link)).toEqual([link]);
  });

  test("streams the answer while it is made to a client that asks for an event stream", async () => {
    const { status, headers, text } = await system.request("gateway", "POST", "/api/ai/query", {
      body: { query: NUMBER },
      headers: { accept: "text/event-stream" },
    });
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const events = text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => ({
        event: /^event: (.*)$/m.exec(block)![1],
        data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!),
      }));
    expect(events.map(({ event }) => event)).toEqual([...events.slice(1).map(() => "text"), "answer"]);
    expect(
      events
        .slice(0, -1)
        .map(({ data }) => data.text)
        .join(""),
    ).toBe(events.at(-1)!.data.answer);
    expect(events.at(-1)!.data.parts[0].part_number).toBe(NUMBER);
    const refused = await system.request("gateway", "POST", "/api/ai/query", {
      body: {},
      headers: { accept: "text/event-stream" },
    });
    expect([refused.status, refused.body]).toEqual([400, { detail: "query field is required" }]);
  });
});
