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
});
