import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Readable } from "node:stream";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { normalizePartNumber } from "../../packages/parts-language/src/part-number.ts";
import { CONVERSATIONS } from "../../packages/parts-desk/src/memory.ts";
import { createFitmentWriter } from "../../services/ai/fitment/writer.ts";
import { call } from "../../services/contracts.ts";
import { startTestChatModel, type TestChatModel } from "../support/chat-sandbox.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { CATALOG, ROWS } from "../../packages/parts-desk/test/desk.support.ts";

const QUERY = "What carburetor fits my GT-2254?";
const SESSION = "session-12345678";

/** The catalog and the search of the small shop, as the desk asks them. */
function shop(service: "search" | "catalog") {
  return (_: ServiceBroker): ServiceSchema => ({
    name: service,
    actions:
      service === "catalog"
        ? {
            get: ({ params }) => ({
              slug: CATALOG.find(({ id }) => id === (params as { id: string }).id)!.slug,
              status: "active",
            }),
            price: () => ({ items: [] }),
            supersession: () => ({ supersededBy: [], supersedes: [] }),
          }
        : {
            recordSearch: () => ({}),
            lookUp: ({ params }) => ({
              hits: CATALOG.filter(
                ({ title, partNumber }) =>
                  normalizePartNumber(partNumber) === normalizePartNumber((params as { q: string }).q) ||
                  title.toLowerCase().includes((params as { q: string }).q),
              ),
              total: 1,
            }),
            aiAvailability: ({ params }) => ({
              results: (params as { partNumbers: string[] }).partNumbers.map((asked) => {
                const part = CATALOG.find(({ partNumber, manufacturer: { code } }) =>
                  ["", code].some((prefix) => prefix + normalizePartNumber(partNumber) === normalizePartNumber(asked)),
                );
                return {
                  partNumber: asked,
                  found: part !== undefined,
                  id: part?.id ?? null,
                  title: null,
                  price: part?.price ?? null,
                  availability: part ? "in_stock" : null,
                  stock: part?.stock ?? null,
                  live: true,
                  ageSeconds: 0,
                  reason: null,
                };
              }),
              summary: { requested: 1, found: 1, available: 1 },
            }),
          },
  });
}

/** One manual, as it is learnt from the pipeline. */
async function putManual(documents: DocumentStore): Promise<void> {
  const rows = ROWS.filter(({ equipment }) => equipment === "GT-2254");
  const figures = [...new Map(rows.map(({ schema, page }) => [schema, page]))].map(([schema, page]) => ({
    label: /\d/.exec(schema)![0],
    title: schema.split(": ")[1]!,
    page,
    images: [],
  }));
  const manual = {
    sha256: "a".repeat(64),
    filename: "gt.pdf",
    title: "GT-2254",
    equipment: ["GT-2254"],
    pages: 20,
    figures,
  };
  const parts = rows.map(({ partNumber, pnNorm, confidence, page, quantity, description, schema, replacedBy }) => ({
    partNumber,
    pnNorm,
    confidence,
    page,
    figure: /\d/.exec(schema)![0],
    description,
    ...(quantity === undefined ? {} : { quantity }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  }));
  await createFitmentWriter(documents).write(
    manual,
    1,
    {
      readParts: async function* () {
        yield Promise.resolve(parts);
      },
    },
    { onlyOfPage: new Map(), serialsOfFigure: new Map(), drawn: [] },
  );
}

describe("the desk as a service", () => {
  let model: TestChatModel;
  let composing: TestBroker;
  let speaking: TestBroker;
  const stores: DocumentStore[] = [];
  const start = async (env: Record<string, string>): Promise<TestBroker> => {
    const settings = testSettings(env);
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    stores.push(documents);
    await putManual(documents);
    return startTestBroker({
      services: [shop("search"), shop("catalog"), "ai"],
      transport: "fake",
      settings,
      documents,
    });
  };
  beforeAll(async () => {
    model = await startTestChatModel();
    composing = await start({});
    speaking = await start({ ...model.env, LLM_TIMEOUT_SECONDS: "20" });
  });
  afterAll(async () => {
    await Promise.all([composing.stop(), speaking.stop(), model.close()]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("remembers a signed-in user without a session; a guest without one is asked to repeat the question", async () => {
    const yes = { query: "yes, send me the links" };
    const user = composing.as({ admin: false, user: { sub: "user_1", role: "customer", aud: "a", azp: "b" } });
    expect(await call(user, "ai.query", { query: QUERY })).toMatchObject({
      store_link_question: expect.stringContaining("send me the links"),
    });
    const { parts } = await call(user, "ai.query", yes);
    expect(parts.map(({ store_link }) => store_link)).toEqual([expect.stringMatching(/^http/)]);
    const nobody = composing.as({ admin: false });
    expect(await call(nobody, "ai.query", { query: QUERY })).toMatchObject({
      needs_confirmation: true,
      store_link_question: expect.stringMatching(/include_store_link/),
    });
    expect(await call(nobody, "ai.query", yes)).toMatchObject({
      parts: [],
      answer: expect.stringMatching(/include_store_link/),
    });
  });

  test("nothing kept of it shows whose session it is, or what else was typed", async () => {
    await call(composing.as({ admin: false, sessionId: SESSION }), "ai.query", {
      query: "I am Jane Roe. Which mower blade fits my GT-2254?",
    });
    const kept = await composing.documents.collection(CONVERSATIONS).find({});
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain(SESSION);
    expect(JSON.stringify(kept)).toContain("blade");
    expect(JSON.stringify(kept)).not.toMatch(/jane|roe\b/i);
  });

  test("goes on about the last answer of a session, and of no other", async () => {
    const guest = composing.as({ admin: false, sessionId: "session-that-goes-on" });
    await call(guest, "ai.query", { query: "air filter for the GT-2254" });
    expect(
      (await call(guest, "ai.query", { query: "and what does it cost?" })).parts.map(({ part_number }) => part_number),
    ).toEqual(["54 021 15-S"]);
    const other = composing.as({ admin: false, sessionId: "session-of-another" });
    expect(await call(other, "ai.query", { query: "and what does it cost?" })).toMatchObject({
      parts: [],
      answer: expect.stringMatching(/^I'm not sure which part or machine you mean/),
    });
  });

  test("finds the number that one slip of the keys is away in the manuals it has read", async () => {
    expect((await call(composing.broker, "ai.query", { query: "do you have 79512?" })).answer).toContain(
      "Did you mean 795123 (Carburetor Gasket), page 3 of the GT-2254 manual?",
    );
  });

  test("streams its answer while it is made, and ends the model's call when nobody waits for it any more", async () => {
    await model.fault("drip", 60);
    const answerId = "answer-that-is-left";
    const stream = (await speaking.broker.call(
      "ai.queryStream",
      { query: "Which parts does the GT-2254 have?", include_store_link: false },
      { meta: { answerId } },
    )) as Readable;
    const events = stream[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ event: "text" });
    await speaking.broker.broadcast("ai.query.abandoned", { answerId });
    await eventually(async () => (await model.completions())[0]!.left);
    stream.destroy();
    await model.allWell();
  });

  test("streams that nobody reads, or that are left before they have begun, take no room from others", async () => {
    const begin = (answerId: string) =>
      composing.broker.call(
        "ai.queryStream",
        { query: QUERY, include_store_link: false },
        { meta: { answerId } },
      ) as Promise<Readable>;
    for (let at = 0; at < 20; at += 1) {
      (await begin(`unread-${at}`)).destroy();
      await composing.broker.broadcast("ai.query.abandoned", { answerId: `unread-${at}` });
    }
    for (let at = 0; at < 20; at += 1) {
      const beginning = begin(`early-${at}`).then(
        (stream) => stream.destroy(),
        () => undefined,
      );
      await composing.broker.broadcast("ai.query.abandoned", { answerId: `early-${at}` });
      await beginning;
    }
    expect((await (await begin("read")).toArray()).at(-1)).toMatchObject({
      event: "answer",
      data: { parts: [{ part_number: "15964-8141" }] },
    });
  });
});
