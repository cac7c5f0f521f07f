import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { AtomicWrite, DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { CHECKPOINTS, ROWS, type Checkpoint, type StoredRow } from "../../services/analytics/collections.ts";
import { PROJECTION_NAMES } from "../../services/analytics/resources.ts";
import type { StoredEvent } from "../../services/contracts.ts";
import { BATCH, createProjector, type Projector } from "../../services/analytics/projector.ts";
import { createReports } from "../../services/analytics/reports.ts";
import { lives, recorded } from "../unit/analytics.lives.ts";
import { storedEvent } from "../unit/analytics.support.ts";

/** What may come between two turns of a counting node. */
type Trouble = "none" | "cut off before the write" | "cut off after the write" | "rebuild" | "another";

const troubles = fc.array(
  fc.constantFrom<Trouble>("none", "cut off before the write", "cut off after the write", "rebuild", "another"),
  { minLength: 1, maxLength: 12 },
);
const PERIOD = { from: "2026-11-18", to: "2026-11-23" };

describe("Figures", () => {
  let documents: DocumentStore;
  beforeAll(async () => {
    documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-analytics-")) });
  });
  afterAll(() => documents.close());

  /** As on a fresh store. */
  async function clear(): Promise<void> {
    await documents.collection(CHECKPOINTS).deleteMany({});
    await documents.collection(ROWS).deleteMany({});
  }

  /** Rows without their generation; those that count nothing are as good as none. */
  async function rows(): Promise<[id: string, row: object][]> {
    const found = await documents.collection<StoredRow>(ROWS).find({}, { sort: { _id: 1 } });
    return found
      .filter(({ row }) => !["{}", '{"parts":[]}'].includes(JSON.stringify(row)))
      .map(({ _id, row }) => [_id.replace(/^(\w+):\d+/, "$1"), row]);
  }

  const finished = async (projector: Projector): Promise<void> => {
    while (await projector.turn());
  };

  it("are the same live and rebuilt, also with crashes, restarts and other counts in the middle", async () => {
    const life = lives.chain((all) =>
      fc.record({
        batches: recorded(all.flatMap(({ events }) => events)),
        troubles,
        size: fc.integer({ min: 1, max: 2 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(life, async ({ batches, troubles: coming, size }) => {
        await clear();
        // The event store gives positions, and has an event once.
        const events = [...new Map(batches.flat().map((event) => [event.event_id, event])).values()].map(
          (event, index) => ({ ...event, position: index + 1 }),
        );
        let trouble: Trouble = "none";
        const projector = createProjector(
          troubled(documents, () => trouble),
          reading(events, size),
        );
        const other = createProjector(documents, reading(events, 1));
        for (const next of coming) {
          trouble = next;
          if (next === "rebuild") await projector.rebuild(PROJECTION_NAMES);
          else if (next === "another") await Promise.all([projector.turn(), other.turn()]);
          else await projector.turn().catch((error: Error) => expect(error.message).toBe(next));
        }
        trouble = "none";
        await finished(projector);
        const live = await rows();
        await projector.rebuild(PROJECTION_NAMES);
        await finished(projector);
        expect(await rows()).toEqual(live);
        for (const { position, building, retired } of await documents.collection<Checkpoint>(CHECKPOINTS).find({})) {
          expect([position, building, retired]).toEqual([events.length, undefined, []]);
        }

        await clear();
        await finished(createProjector(documents, reading(events, 1_000)));
        expect(await rows()).toEqual(live);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    { what: "pages that are cut short", size: 640, writes: Array.from({ length: 10 }, () => BATCH.embedded) },
    { what: "pages of a few large events", size: 50, writes: Array.from({ length: 25 }, () => 400) },
    { what: "full pages", size: 1_000, writes: Array.from({ length: 10 }, () => BATCH.embedded) },
  ])("are counted in few writes from $what, on to the end", async ({ size, writes }) => {
    await clear();
    const events = Array.from({ length: 10_000 }, () =>
      storedEvent("search", "SEARCH_PERFORMED", { query: "gasket", results_count: 1 }),
    ).map((event, index) => ({ ...event, position: index + 1 }));
    let longest = 0;
    const read = reading(events, size);
    const readEvents = (after: number, limit: number) => {
      longest = Math.max(longest, limit);
      return read(after, limit);
    };
    const projector = createProjector(documents, readEvents);
    const positions = [0];
    while (await projector.turn()) positions.push((await projector.checkpoints())[0]!.position);
    expect(positions.slice(1).map((position, index) => position - positions[index]!)).toEqual(writes);
    expect(longest).toBeLessThanOrEqual(1_000);
  });

  it("are never read in halves while another count takes the place of what is read", async () => {
    await clear();
    const [{ batches }] = fc.sample(
      lives
        .filter((all) => all.length >= 6)
        .chain((all) => fc.record({ batches: recorded(all.flatMap(({ events }) => events)) })),
      1,
    ) as [{ batches: StoredEvent[][] }];
    const events = [...new Map(batches.flat().map((event) => [event.event_id, event])).values()].map(
      (event, index) => ({ ...event, position: index + 1 }),
    );
    const projector = createProjector(documents, reading(events, 1));
    const { overview } = createReports({ documents, head: async () => events.length });
    await finished(projector);
    const whole = await overview({ params: PERIOD });
    for (let time = 0; time < 5; time++) {
      await projector.rebuild(PROJECTION_NAMES);
      const counting = finished(projector).then(() => false);
      const isCounting = (): Promise<boolean> =>
        Promise.race([counting, new Promise<boolean>((resolve) => setImmediate(resolve, true))]);
      while (await isCounting()) expect(await overview({ params: PERIOD })).toEqual(whole);
    }
    expect(await overview({ params: PERIOD })).toEqual(whole);
  });
});

function reading(events: readonly StoredEvent[], size: number) {
  return async (after: number, limit: number): Promise<readonly StoredEvent[]> =>
    events.filter(({ position }) => position > after).slice(0, Math.min(limit, size));
}

function troubled(documents: DocumentStore, trouble: () => Trouble): DocumentStore {
  return {
    backend: documents.backend,
    collection: (definition) => documents.collection(definition),
    ping: () => documents.ping(),
    close: () => documents.close(),
    atomically: async (writes: AtomicWrite[]) => {
      if (trouble() === "cut off before the write") throw new Error(trouble());
      const result = await documents.atomically(writes);
      if (trouble() === "cut off after the write") throw new Error(trouble());
      return result;
    },
  };
}
