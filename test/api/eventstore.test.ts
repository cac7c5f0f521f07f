import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { openStream, type OpenStream } from "../support/event-stream.ts";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";

const system = useSystem();

const get = (path: string): Promise<Answer> => system.request("eventstore", "GET", path);
const post = (path: string, body: object): Promise<Answer> => system.request("eventstore", "POST", path, { body });
const event = (aggregate_id: string, more: object = {}) => ({
  aggregate_id,
  aggregate_type: "thing",
  event_type: "THING_CHANGED",
  data: { n: 1 },
  ...more,
});
const append = async (aggregate_id: string, more: object = {}) =>
  (await post("/events", event(aggregate_id, more))).body;

describe("the event store over HTTP", () => {
  it("records documents, and what was stored is in the list, the state and the statistics", async () => {
    const id = `doc_${ulid()}`;
    const { status, body } = await post("/store", {
      documents: [{ content: "Torque the head bolts.", metadata: { id, page: 3 } }],
    });
    expect([status, body]).toEqual([200, { stored: 1, documents: [{ id, event_id: expect.any(String), version: 1 }] }]);
    const { body: listed } = await get(`/events?aggregate_id=${id}&event_type=DOCUMENT_CREATED`);
    const data = { content: "Torque the head bolts.", metadata: { id, page: 3 }, embedding_model: "lexical" };
    expect(listed).toEqual({
      events: [
        {
          event_id: body.documents[0].event_id,
          position: expect.any(Number),
          aggregate_id: id,
          aggregate_type: "document",
          version: 1,
          event_type: "DOCUMENT_CREATED",
          data,
          metadata: {},
          timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    });
    expect((await get(`/events/${id}/state`)).body).toEqual({
      aggregate_id: id,
      version: 1,
      state: data,
      as_of: expect.stringMatching(/Z$/),
    });
    const { body: stats } = await get("/events/stats?aggregate_type=document");
    expect(stats.by_event_type.DOCUMENT_CREATED).toBeGreaterThan(0);
    expect(stats.total_events).toBe(Object.values<number>(stats.by_day).reduce((sum, count) => sum + count, 0));
    expect(
      (await post("/store", { documents: [{ content: "Torque the head bolts.", metadata: { id, page: 3 } }] })).body
        .stored,
    ).toBe(0);
  });

  it("takes a body of the greatest length wherever the service runs, and refuses one that does not fit a message to it", async () => {
    const content = (length: number) => "x".repeat(length);
    const body = {
      documents: [
        { content: content(500_000), metadata: { id: ulid() } },
        { content: "", metadata: { id: ulid() } },
      ],
    };
    body.documents[1]!.content = content(1_000_000 - JSON.stringify(body).length);
    expect((await post("/store", body)).status).toBe(200);
    const numbers = `{"documents":[{"content":"","metadata":{"numbers":[${Array.from({ length: 150_000 }, () => "1e20").join(",")}]}}]}`;
    const { status, body: answer } = await system.request("eventstore", "POST", "/store", {
      rawBody: numbers,
      headers: { "Content-Type": "application/json" },
    });
    expect([
      [400, "VALIDATION_FAILED"],
      [413, "PAYLOAD_TOO_LARGE"],
    ]).toContainEqual([status, answer.error.code]);
  });

  it("refuses to add to what the system records itself, whether it is there already or not", async () => {
    const ids = ["ord_1", "cs_test_1", "pi_1", "cart_1", "vendor_KMT", "search_1", `manual_${"a".repeat(64)}`];
    const { position } = await append(ulid());
    for (const id of ids) {
      expect(await post("/events", event(id))).toMatchObject({
        status: 403,
        body: { error: { code: "FORBIDDEN", details: [{ field: "aggregate_id" }] } },
      });
      const documents = [{ content: "allowed" }, { content: "x", metadata: { id } }];
      expect(await post("/store", { documents })).toMatchObject({
        status: 403,
        body: { error: { code: "FORBIDDEN", details: [{ field: "documents[1].metadata.id" }] } },
      });
    }
    const { events } = (await get(`/events?after=${position}`)).body as { events: { data: { content?: string } }[] };
    expect(events.filter(({ data }) => data.content === "allowed" || data.content === "x")).toEqual([]);
  });
});

describe("the event stream", () => {
  const open = (query = "", headers: Record<string, string> = {}): Promise<OpenStream> =>
    openStream(`${system.url("eventstore")}/events/stream${query}`, headers);

  it("brings events as they come, those that the filters let through", async () => {
    const type = `T_${ulid()}`;
    const stream = await open(`?aggregate_type=${type}`);
    expect([stream.status, stream.headers["content-type"], stream.headers["cache-control"]]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "no-store",
    ]);
    const position = (await append(ulid(), { aggregate_type: type })).position;
    await append(ulid());
    await append(ulid(), { aggregate_type: type });
    const events = await stream.has(2);
    expect(events).toMatchObject([
      { id: position, data: { position, aggregate_type: type, version: 1 } },
      { data: { aggregate_type: type } },
    ]);
    expect(events[0]!.data.timestamp).toMatch(/^\d{4}-.*Z$/);
    stream.close();
  });

  it("goes on after Last-Event-ID, which counts more than the query, and misses nothing", async () => {
    const type = `T_${ulid()}`;
    const positions: number[] = [];
    for (let n = 0; n < 5; n++) positions.push((await append(ulid(), { aggregate_type: type })).position);
    const stream = await open(`?aggregate_type=${type}&after=0`, { "Last-Event-ID": String(positions[1]) });
    expect((await stream.has(3)).map(({ id }) => id)).toEqual(positions.slice(2));
    const more = await Promise.all(Array.from({ length: 150 }, () => append(ulid(), { aggregate_type: type })));
    const all = await stream.has(153);
    expect(all.slice(3).map(({ id }) => id)).toEqual(more.map(({ position }) => position).sort((a, b) => a - b));
    stream.close();
    const again = await open(`?aggregate_type=${type}&after=${positions[3]}`);
    expect((await again.has(151))[0]!.id).toBe(positions[4]);
    again.close();
    const refused = await system.request("eventstore", "GET", "/events/stream", {
      headers: { "Last-Event-ID": "abc" },
    });
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: "Last-Event-ID" }]]);
  }, 60_000);

  it("is described, and answers HEAD with its head alone", async () => {
    const { body } = await get("/openapi.json");
    const operation = body.paths["/events/stream"].get;
    expect(Object.keys(operation.responses["200"].content)).toEqual(["text/event-stream"]);
    expect(operation.parameters.map(({ name }: { name: string }) => name)).toContain("Last-Event-ID");
    const head = await system.request("eventstore", "HEAD", "/events/stream");
    expect([head.status, head.headers.get("content-type"), head.text]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "",
    ]);
  });
});
