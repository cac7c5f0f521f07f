import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Readable } from "node:stream";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { defineService } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { rules } from "@partline/api-contracts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { eventually } from "../../support/eventually.ts";
import { freePorts } from "../../support/ports.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";

const params = rules({
  name: { type: "string", min: 1, missing: "name field is required" },
  count: { type: "number", integer: true, min: 0, max: 1_000, default: 0 },
  fails: { type: "boolean", default: false },
});
const counted = { type: "object", props: { counted: { type: "number" } } } as const;

const counterContract = defineService({
  name: "eventstore",
  summary: "Counts",
  actions: {
    count: {
      summary: "Count",
      params,
      result: counted,
      errors: [],
      timeout: 2_000,
      http: [
        {
          method: "POST",
          path: "/count",
          entries: ["eventstore"],
          access: "none",
          envelope: false,
          errors: "detail",
          streamed: {
            action: "countAloud",
            abandoned: "counter.abandoned",
            events: { number: { type: "object", props: { number: { type: "number" } } }, counted },
          },
        },
      ],
    },
    countAloud: { summary: "Count aloud", params, result: { type: "any" }, errors: [] },
  },
});

describe("an answer that is streamed while it is made, its service on another broker", () => {
  let running: TestBroker;
  let edgeBroker: ServiceBroker | undefined;
  let url = "";
  let abandoned: string[] = [];
  /** Ids of the answers that were begun. */
  let begun: (string | undefined)[] = [];
  let isHeldAt: number | undefined;
  afterEach(() => void ([abandoned, begun, isHeldAt] = [[], [], undefined]));

  const counter = (_: ServiceBroker): ServiceSchema => {
    async function* aloud({ count, fails }: { count: number; fails: boolean }) {
      for (let number = 1; number <= count; number += 1) {
        if (number === isHeldAt) await eventually(() => abandoned.length > 0);
        yield { event: "number", data: { number } };
      }
      if (fails) throw new PartlineError("SERVICE_UNAVAILABLE", "Lost count");
      yield { event: "counted", data: { counted: count } };
    }
    return implement(counterContract, {
      actions: {
        count: (ctx) => ({ counted: ctx.params.count }),
        countAloud: async (ctx) => {
          if (ctx.params.count === 0) throw new PartlineError("NOT_FOUND", "Nothing to count");
          begun.push(ctx.meta.answerId);
          if (isHeldAt === 0) await eventually(() => abandoned.length > 0);
          return Readable.from(aloud(ctx.params));
        },
      },
      events: {
        "counter.abandoned": {
          params: { answerId: { type: "string" } },
          handler: (ctx) => void abandoned.push((ctx.params as { answerId: string }).answerId),
        },
      },
    });
  };
  beforeAll(async () => {
    const port = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    running = await startTestBroker({
      services: [counter, (broker) => createEntryPointService((edgeBroker = broker), "eventstore", [counterContract])],
      transport: "fake",
      settings: testSettings({ [toPortSetting("eventstore")]: String(port) }),
    });
    await eventually(async () => (await fetch(`${url}/health/ready`)).status === 200);
  });
  afterAll(() => running.stop());
  const post = (body: object, accept?: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/count`, {
      method: "POST",
      body: JSON.stringify({ name: "one", ...body }),
      headers: {
        "content-type": "application/json",
        ...(accept === undefined ? {} : { accept }),
        "x-request-id": "count-1",
      },
      signal,
    });

  test.each([
    undefined,
    "*/*",
    "application/json",
    "text/html",
    "application/json, text/event-stream",
    "text/event-stream;q=0",
    "text/event-stream;q=0.5, application/json",
  ])("is JSON for who accepts %s", async (accept) => {
    const response = await post({ count: 3 }, accept);
    expect([response.status, await response.json()]).toEqual([200, { counted: 3 }]);
  });

  test.each([
    "text/event-stream",
    "text/event-stream, application/json",
    "Text/Event-Stream; q=0.9, application/json;q=0.1",
  ])("is a stream that ends for who accepts %s", async (accept) => {
    const response = await post({ count: 200 }, accept);
    expect([response.status, response.headers.get("content-type"), response.headers.get("x-request-id")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "count-1",
    ]);
    const events = (await response.text()).split("\n\n");
    expect(events).toHaveLength(202);
    expect(events[6]).toBe('event: number\ndata: {"number":7}');
    expect(events.slice(-2)).toEqual(['event: counted\ndata: {"counted":200}', ""]);
    expect(abandoned).toEqual([]);
  });

  test("a question that is refused is refused as any other", async () => {
    const missing = await post({ name: undefined }, "text/event-stream");
    expect([missing.status, await missing.json()]).toEqual([400, { detail: "name field is required" }]);
    const empty = await post({ name: "" }, "application/json");
    expect([empty.status, await empty.json()]).toEqual([400, { detail: "name field is required" }]);
    const unknown = await post({ count: 1, more: 2 }, "text/event-stream");
    expect([unknown.status, await unknown.json()]).toEqual([400, { detail: "The 'more' field is not allowed." }]);
    const none = await post({ count: 0 }, "text/event-stream");
    expect([none.status, await none.json()]).toEqual([404, { detail: "Nothing to count" }]);
  });

  test("what goes wrong on the way is the last event", async () => {
    const text = await (await post({ count: 2, fails: true }, "text/event-stream")).text();
    expect(text.split("\n\n").at(-2)).toBe(`event: error\ndata: {"detail":"Lost count"}`);
  });

  test("that falls silent ends with an error that says so, and nothing of it stays open", async () => {
    isHeldAt = 3;
    const text = await (await post({ count: 5 }, "text/event-stream")).text();
    expect(text.split("\n\n")).toEqual([
      'event: number\ndata: {"number":1}',
      'event: number\ndata: {"number":2}',
      'event: error\ndata: {"detail":"There was no answer in time"}',
      "",
    ]);
    await eventually(() => abandoned.length > 0);
    expect(abandoned).toEqual(begun);
    expect(edgeBroker?.transit?.pendingRequests.size ?? 0).toBe(0);
  });

  test("a client that leaves is reported to the maker of the answer, and not to that of a request with the same id", async () => {
    isHeldAt = 5;
    const staying = await post({ count: 3 }, "text/event-stream");
    await staying.text();
    const leaving = new AbortController();
    const response = await post({ count: 900 }, "text/event-stream", leaving.signal);
    const reader = response.body!.getReader();
    await reader.read();
    leaving.abort();
    await reader.read().catch(() => undefined);
    await eventually(() => abandoned.length > 0);
    expect(abandoned).toEqual([begun[1]]);
    expect(begun[1]).toBeDefined();
    expect(begun[0]).not.toBe(begun[1]);
  });

  test("a client that leaves before the answer has begun is reported at once", async () => {
    isHeldAt = 0;
    const leaving = new AbortController();
    const asked = post({ count: 3 }, "text/event-stream", leaving.signal).catch(() => undefined);
    await eventually(() => begun.length > 0);
    leaving.abort();
    await asked;
    await eventually(() => abandoned.length > 0);
    expect(abandoned).toEqual(begun);
  });

  test("it is in the entry point's OpenAPI document", async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { responses: Record<string, { content: object }> } }>;
    };
    expect(Object.keys(paths["/count"]!.post.responses["200"]!.content)).toEqual([
      "application/json",
      "text/event-stream",
    ]);
    expect(Object.keys(paths)).not.toContain("/countAloud");
  });
});
