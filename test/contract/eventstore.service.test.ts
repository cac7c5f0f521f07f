import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ServiceSchema } from "moleculer";
import { ulid } from "ulid";
import type { Input } from "@partline/api-contracts";
import { PartlineError } from "../../mixins/errors.ts";
import type { NewEvent, StoredEvent } from "../../packages/durable/src/event-log/port.ts";
import { call, outbox, type Actions } from "../../services/contracts.ts";
import { settleDocument, storeDocuments } from "../../services/eventstore/documents.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

/** Stands for the desk; what it quotes, by id. */
const deskThatQuotes =
  (quoted: Map<string, string>, assertThere = (): void => undefined) =>
  (): ServiceSchema => ({
    name: "ai",
    actions: {
      learnDocument({ params }) {
        assertThere();
        const { id, content } = params as { id: string; content: string };
        quoted.set(id, content);
        return {};
      },
      forgetDocument({ params }) {
        assertThere();
        quoted.delete((params as { id: string }).id);
        return {};
      },
    },
  });

describe("The event store", () => {
  const test = useStarted(() => startTestBroker({ services: ["eventstore", deskThatQuotes(new Map())] }));

  const event = (aggregate_id: string, more: object = {}) => ({
    aggregate_id,
    aggregate_type: "thing",
    event_type: "THING_CHANGED",
    data: { nested: { n: 1 }, list: [1, 2] },
    ...more,
  });
  const append = (fields: Input<Actions["eventstore.append"]>) => call(test.broker, "eventstore.append", fields);
  const list = async (params: Input<Actions["eventstore.list"]> = {}) =>
    (await call(test.broker, "eventstore.list", params)).events;
  const read = async (aggregate_id: string, more: object = {}) =>
    (await call(test.broker, "eventstore.readStream", { aggregate_id, ...more })).events;
  const state = (aggregate_id: string, at_time?: Date) =>
    call(test.broker, "eventstore.state", { aggregate_id, at_time });
  const store = (...documents: Input<Actions["eventstore.store"]>["documents"]) =>
    call(test.broker, "eventstore.store", { documents });

  it("takes any JSON object as data and metadata, null in it too, and refuses a number that JSON does not have", async () => {
    const given = { cartId: null, list: [null], "": { deep: null } };
    const id = ulid();
    await append(event(id, { data: given, metadata: given }));
    expect(await read(id)).toMatchObject([{ data: given, metadata: given }]);
    const {
      documents: [stored],
    } = await store({ content: id, metadata: given });
    expect(await state(stored!.id)).toMatchObject({ state: { metadata: given } });
    const field = (named: string) => ({
      type: "VALIDATION_ERROR",
      data: [{ message: expect.stringContaining(`'${named}'`) }],
    });
    await expect(append(event(id, { data: { n: Infinity } }))).rejects.toMatchObject(field("data.n"));
    await expect(append(event(id, { data: { list: [1, { n: NaN }] } }))).rejects.toMatchObject(field("data.list[1].n"));
    await expect(store({ content: id, metadata: { n: -Infinity } })).rejects.toMatchObject(
      field("documents[0].metadata.n"),
    );
  });

  it("refuses to read on from a position that the log does not have, and says where it ends", async () => {
    const { position } = await append(event(ulid()));
    expect(await list({ after: position })).toEqual([]);
    expect(await call(test.broker, "eventstore.tail", { after: position })).toEqual({ events: [], after: position });
    // A place is that of an event, or stays.
    expect(await call(test.broker, "eventstore.tail", { after: position - 1, event_type: "NONE" })).toEqual({
      events: [],
      after: position - 1,
    });
    const beyond = {
      code: "VALIDATION_FAILED",
      data: [{ field: "after", message: expect.stringContaining(`position is ${position}`) }],
    };
    await expect(list({ after: position + 1 })).rejects.toMatchObject(beyond);
    await expect(
      call(test.broker, "eventstore.tail", { after: position + 1, event_type: "NONE" }),
    ).rejects.toMatchObject(beyond);
  });

  it("keeps each cart's savings in a stream under the cart's id, which begins with cart_ once", async () => {
    const id = ulid();
    const carts = [`cart_${id}`, `other_${id}`].map((cartId) => ({
      cartId,
      items: 1,
      subtotal: 100,
      saved_at: new Date().toISOString(),
    }));
    await test.documents.atomically([outbox("cart.saved", { carts }, id)]);
    test.channels.wake();
    await eventually(async () => (await read(`cart_other_${id}`)).length > 0 && (await read(`cart_${id}`)).length > 0);
    expect(await read(`cart_${id}`)).toMatchObject([
      { data: { cartId: `cart_${id}` }, metadata: { amounts: "minor" } },
    ]);
  });

  it("keeps an aggregate to the type of its first event", async () => {
    const id = `a_${ulid()}`;
    await append(event(id));
    await expect(append(event(id, { aggregate_type: "other" }))).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "aggregate_type" }],
    });
  });

  it("lists by aggregate, types, period and position, and is read on from there", async () => {
    const type = `T_${ulid()}`;
    const [one, two] = [ulid(), ulid()];
    const answers = [];
    for (const [id, kind] of [
      [one, "A"],
      [two, "B"],
      [one, "B"],
      [two, "A"],
    ] as const)
      answers.push(await append(event(id, { aggregate_type: type, event_type: `${kind}_${type}` })));
    const positions = answers.map(({ position }) => position);
    const listed = async (params: object) => (await list(params)).map(({ position }) => positions.indexOf(position));
    expect(await listed({ aggregate_type: type })).toEqual([0, 1, 2, 3]);
    expect(await listed({ event_type: `B_${type}` })).toEqual([1, 2]);
    expect(await listed({ aggregate_id: two, event_type: `A_${type}` })).toEqual([3]);
    expect(await listed({ aggregate_type: type, after: positions[1] })).toEqual([2, 3]);
    expect(await listed({ aggregate_type: type, after: positions[0], limit: 2 })).toEqual([1, 2]);
    expect(await listed({ aggregate_type: type, since: answers[2]!.timestamp })).toEqual(
      expect.arrayContaining([2, 3]),
    );
    expect(await listed({ aggregate_type: type, until: answers[0]!.timestamp })).toEqual([]);
    expect(await listed({ aggregate_type: type, since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect((await read(one, { after_version: 1 })).map(({ version }) => version)).toEqual([2]);
    expect(await read("unknown")).toEqual([]);
  });

  it("records documents that are new or changed, and nothing of those it knows", async () => {
    const id = `doc_${ulid()}`;
    const created = await store({ content: "one", metadata: { id, page: 1 } });
    expect(created).toEqual({ stored: 1, documents: [{ id, event_id: expect.any(String), version: 1 }] });
    expect(await store({ content: "one", metadata: { page: 1, id } })).toEqual({ ...created, stored: 0 });
    const { stored, documents } = await store(
      { content: "two", metadata: { id } },
      { content: "three", metadata: { id } },
      { content: `plain ${id}` },
    );
    expect([stored, documents.map(({ version }) => version)]).toEqual([3, [2, 3, 1]]);
    expect(await store({ content: `plain ${id}` })).toEqual({ stored: 0, documents: [documents[2]] });
    expect((await read(id)).map(({ event_type, data }) => [event_type, data])).toEqual([
      ["DOCUMENT_CREATED", { content: "one", metadata: { id, page: 1 }, embedding_model: "lexical" }],
      ["DOCUMENT_UPDATED", { content: "two", metadata: { id }, embedding_model: "lexical" }],
      ["DOCUMENT_UPDATED", { content: "three", metadata: { id }, embedding_model: "lexical" }],
    ]);
    expect(await state(id)).toMatchObject({
      version: 3,
      state: { content: "three", metadata: { id } },
    });
  });

  it("knows a document again by any id that its metadata has", async () => {
    const anyId = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.string({ minLength: 201 }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(anyId, fc.jsonValue(), async (given, flag) => {
        const metadata = { run: ulid(), id: [ulid(), given], public: flag === true ? "yes" : flag };
        const { documents } = await store({ content: "one", metadata });
        expect(documents).toEqual([{ id: expect.any(String), event_id: expect.any(String), version: 1 }]);
        expect((await read(documents[0]!.id))[0]!.data.metadata).toEqual(JSON.parse(JSON.stringify(metadata)));
        expect(await store({ content: "two", metadata })).toMatchObject({
          documents: [{ id: documents[0]!.id, version: 2 }],
        });
      }),
      { numRuns: 30 },
    );
    expect((await store({ content: "x", metadata: { id: 7 } })).documents).toMatchObject([{ id: "7" }]);
  });

  it("records no document of a request that has one which is refused, and names it", async () => {
    const [id, thing] = [`doc_${ulid()}`, `thing_${ulid()}`];
    await append(event(thing));
    const good = { content: "one", metadata: { id } };
    const field = (named: string) => ({ code: "VALIDATION_FAILED", data: [{ field: named }] });
    await expect(store(good, { content: "two", metadata: { id: thing } })).rejects.toMatchObject(
      field("documents[1].metadata.id"),
    );
    await expect(store(good, { content: "x".repeat(512 * 1024) })).rejects.toMatchObject(field("documents[1]"));
    expect(await read(id)).toEqual([]);
  });

  it("knows a document again by what JSON makes of it", async () => {
    const id = `doc_${ulid()}`;
    const once = await store({ content: "one", metadata: { id, zero: -0 } });
    expect(await store({ content: "one", metadata: { id, zero: -0 } })).toEqual({ ...once, stored: 0 });
    await append(event(id, { aggregate_type: "document", event_type: "NOTE", data: { content: "two" } }));
    expect(await store({ content: "one", metadata: { id, zero: 0 } })).toMatchObject({
      stored: 1,
      documents: [{ version: 3 }],
    });
  });

  it("makes one event of a document that is stored by many at once", async () => {
    const id = `doc_${ulid()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => store({ content: "same", metadata: { id } })));
    expect(answers.filter(({ stored }) => stored === 1)).toHaveLength(1);
    expect(await read(id)).toHaveLength(1);
  });

  it("notifies listeners of new events, a few times a second at most", async () => {
    const told: number[] = [];
    const listener = test.broker.createService({
      name: `listener-${ulid()}`,
      events: { "eventstore.appended": (ctx: { params: { position: number } }) => void told.push(ctx.params.position) },
    });
    // Until the event store's node has heard of the listener.
    await eventually(async () => {
      await append(event(ulid()));
      return told.length > 0;
    });
    told.length = 0;
    const started = Date.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => append(event(ulid()))));
    const newest = Math.max(...answers.map(({ position }) => position));
    await eventually(() => told.includes(newest));
    expect(told.length).toBeLessThanOrEqual(3 + (Date.now() - started) / 200);
    await test.broker.destroyService(listener);
  });
});

it("quotes a public document as it was stored last, without a sentence model", async () => {
  const learnt = new Map<string, string>();
  const { broker, stop } = await startTestBroker({ services: ["eventstore", deskThatQuotes(learnt)] });
  const metadata = { id: ulid(), public: true };
  for (const content of ["The bolt takes 30 Nm", "The bolt takes 45 Nm"]) {
    await call(broker, "eventstore.store", { documents: [{ content, metadata }] });
    await eventually(() => learnt.get(metadata.id) === content);
  }
  const { events } = await call(broker, "eventstore.readStream", { aggregate_id: metadata.id });
  expect(events.at(-1)!.data).toMatchObject({ content: "The bolt takes 45 Nm", metadata });
  await stop();
});

describe("Documents where a sentence model is configured", () => {
  /** What the desk quotes, by id. */
  const learnt = new Map<string, string>();
  let isDeskAway = false;
  const test = useStarted(() => {
    const assertThere = (): void => {
      if (isDeskAway) throw new PartlineError("SERVICE_UNAVAILABLE", "The desk is away");
    };
    const settings = testSettings({ EMBEDDINGS_BASE_URL: "http://127.0.0.1:9/v1", EMBEDDINGS_MODEL: "sentences-1" });
    return startTestBroker({ services: ["eventstore", deskThatQuotes(learnt, assertThere)], settings });
  });
  const store = (...documents: { content: string; metadata: Record<string, unknown> }[]) =>
    call(test.broker, "eventstore.store", { documents });
  const read = async (aggregate_id: string) =>
    (await call(test.broker, "eventstore.readStream", { aggregate_id })).events.map(({ data }) => data);

  it("name the model if they are public, which the desk learns; others do not", async () => {
    const [embedded, internal] = [ulid(), ulid()];
    const content = "Torque the head bolts to 25 Nm";
    await store({ content, metadata: { id: embedded, public: true } }, { content, metadata: { id: internal } });
    expect(await read(embedded)).toEqual([
      { content, metadata: { id: embedded, public: true }, embedding_model: "sentences-1" },
    ]);
    expect(await read(internal)).toEqual([{ content, metadata: { id: internal }, embedding_model: "lexical" }]);
    await store({ content, metadata: { public: "yes" } });
    await eventually(() => learnt.has(embedded));
    expect([...learnt]).toEqual([[embedded, content]]);
  });

  it("are stored at once while the desk is away, which learns or forgets them when it is back", async () => {
    const [secret, fresh] = [ulid(), ulid()];
    await store({ content: "told", metadata: { id: secret, public: true } });
    await eventually(() => learnt.get(secret) === "told");
    isDeskAway = true;
    await store(
      { content: "told", metadata: { id: secret } },
      { content: "new", metadata: { id: fresh, public: true } },
    );
    expect((await read(secret)).at(-1)).toMatchObject({ metadata: { id: secret }, embedding_model: "lexical" });
    expect(await read(fresh)).toMatchObject([{ content: "new", embedding_model: "sentences-1" }]);
    const failed = (id: string) => test.tasks.find(`eventstore.document:${id}`).then((task) => task?.attempts ?? 0);
    await eventually(async () => (await failed(secret)) > 1 && (await failed(fresh)) > 1);
    expect(learnt.get(secret)).toBe("told");
    isDeskAway = false;
    await eventually(() => !learnt.has(secret) && learnt.get(fresh) === "new");
  });

  it.each([
    ["recorded", false, ["later", "append", "now"]],
    // A crash is no different: the task that is due later does no harm.
    ["not recorded", true, ["later", "append"]],
  ])("have a task from before they are recorded: %s", async (_, isFull, wanted) => {
    const steps: string[] = [];
    const log = {
      findLast: async () => undefined,
      append: async (event: NewEvent) => {
        steps.push("append");
        if (isFull) throw new Error("The disk is full");
        return { metadata: {}, ...event, position: 1, version: 1, recorded: true };
      },
    };
    const enqueueSettling = async (_id: string, when: string) => void steps.push(when);
    const document = { content: "told", metadata: { id: "one", public: true } };
    const storing = storeDocuments([document], { log, model: "sentences-1", enqueueSettling });
    await (isFull ? expect(storing).rejects.toThrow("The disk is full") : storing);
    expect(steps).toEqual(wanted);
  });

  it("that are stored again while an older text is settled are quoted as they are recorded last", async () => {
    const recorded: StoredEvent[] = [];
    const record = (content: string): void => {
      const version = recorded.length + 1;
      recorded.push({
        ...{ event_id: ulid(), aggregate_id: "note", aggregate_type: "document", event_type: "DOCUMENT_UPDATED" },
        ...{ data: { content, metadata: { public: true } }, metadata: {}, timestamp: new Date() },
        ...{ position: version, version },
      });
    };
    let quoted: string | undefined;
    record("older");
    const desk = {
      learn: async ({ content }: { content: string }) => {
        if (content === "older") record("newer");
        quoted = content;
      },
      forget: async () => void (quoted = undefined),
    };
    await settleDocument("note", { findLast: async () => recorded.at(-1) }, desk);
    expect(quoted).toBe("newer");
  });
});
