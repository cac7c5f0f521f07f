import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import type { PassageIndex } from "../../packages/parts-search/src/passage-index/port.ts";
import { CALLOUTS, DIAGRAMS, ROWS } from "../../packages/parts-search/src/fitment-index/collections.ts";
import { FitmentReader } from "../../packages/parts-search/src/fitment-index/reader.ts";
import { createFitmentWriter } from "../../services/ai/fitment/writer.ts";
import { createLearner, QUOTED_DOCUMENTS } from "../../services/ai/manual-learner.ts";
import { createManualKnowledge } from "../../services/ai/sources/manuals.ts";
import { GT, GT_MANUAL, madePipeline, RX, RX_MANUAL } from "./ai.manuals.ts";
import { openStores, type Stores } from "./ai.stores.ts";

describe("Forgetting manuals", () => {
  let documents: DocumentStore;
  let index: PassageIndex;
  let close: Stores["close"];
  beforeAll(async () => {
    ({ documents, index, close } = await openStores("forgetting"));
  });
  afterAll(() => close());

  const world = (over: PassageIndex = index) => {
    const source = madePipeline([GT_MANUAL, RX_MANUAL], { partsAtOnce: 1 });
    const reader = new FitmentReader(documents);
    const learner = createLearner({
      documents: documents.collection(QUOTED_DOCUMENTS),
      source,
      reader,
      index: () => over,
      fitment: createFitmentWriter(documents),
      onWithoutVectors: () => undefined,
    });
    const knowledge = createManualKnowledge({ index: () => index, reader, onFailure: () => undefined });
    return { source, reader, learner, knowledge };
  };
  const left = async (sha256: string) => ({
    rows: await documents.collection(ROWS).count({ sha256 }),
    diagrams: await documents.collection(DIAGRAMS).count({ sha256 }),
    callouts: await documents.collection(CALLOUTS).count({ sha256 }),
    passages: (await index.manuals()).filter(({ manual }) => manual === sha256).length,
  });
  /** Each test's reading comes after the removals of those before. */
  let run = 0;
  const nothing = { rows: 0, diagrams: 0, callouts: 0, passages: 0 };

  beforeEach(async () => {
    const { learner } = world();
    run += 1;
    await learner.learn({ sha256: GT, run });
    await learner.learn({ sha256: RX, run });
  });

  it("makes no list of models again for a manual that is read again for the same equipment", async () => {
    const { learner, reader } = world();
    const before = await reader.getDirectory();
    const finder = await before.finder();
    run += 1;
    await learner.learn({ sha256: GT, run });
    const after = await reader.getDirectory();
    expect(after.revision).toBeGreaterThan(before.revision);
    expect((await after.finder()) === finder).toBe(true);
  });

  it("leaves nothing of one, on no node, and all of the others", async () => {
    const { source, learner, reader, knowledge } = world();
    const others = [new FitmentReader(documents), new FitmentReader(documents)];
    for (const each of [reader, ...others]) expect((await each.readByModel("GT-2260")).rows).toHaveLength(3);
    source.manuals.delete(GT);
    await learner.forget({ sha256: GT, run });
    for (const each of [reader, ...others, new FitmentReader(documents)]) {
      expect(await each.readByModel("GT-2260")).toMatchObject({ models: [], rows: [], total: 0 });
      expect((await each.readByPart("15964-8141")).rows.map(({ equipment }) => equipment)).toEqual(["RX-48"]);
      expect(await each.findDiagramsByModel("GT-2254", 10)).toEqual([]);
    }
    expect(await knowledge.passages({ words: "carburetor", limit: 5 })).toEqual([]);
    expect((await knowledge.passages({ words: "oil filter", limit: 5 })).map(({ sha256 }) => sha256)).toEqual([RX]);
    expect(await left(GT)).toEqual(nothing);
    // Heard again, and of one that was never known.
    await learner.forget({ sha256: GT, run });
    await learner.forget({ sha256: "f".repeat(64), run });
    expect(await left(GT)).toEqual(nothing);
    await learner.mendPassages(new AbortController().signal);
    expect(await left(GT)).toEqual(nothing);

    source.manuals.set(GT, GT_MANUAL);
    run += 1;
    await learner.learn({ sha256: GT, run });
    for (const each of [reader, ...others]) expect((await each.readByModel("GT-2260")).rows).toHaveLength(3);
    expect((await knowledge.passages({ words: "carburetor", limit: 5 })).map(({ sha256 }) => sha256)).toEqual([GT]);
  });

  it("leaves nothing of one that is being learnt", async () => {
    const { source, learner } = world();
    let pieces = 0;
    source.beforeParts = async () => {
      if ((pieces += 1) !== 2) return;
      const other = world();
      await other.learner.forget({ sha256: GT, run });
    };
    await expect(learner.learn({ sha256: GT, run })).rejects.toThrow("begun meanwhile");
    // It is there still, until its files are removed.
    await learner.learn({ sha256: GT, run });
    expect(await left(GT)).toEqual(nothing);
  });

  it("leaves nothing of one whose files go while it is learnt, and of one that was removed before it was heard of", async () => {
    const { source, learner } = world();
    source.beforeParts = async () => void source.manuals.delete(GT);
    await expect(learner.learn({ sha256: GT, run })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await learner.forget({ sha256: GT, run });
    await learner.learn({ sha256: GT, run });
    expect(await left(GT)).toEqual(nothing);
    const late = "c".repeat(64);
    source.manuals.set(late, { ...GT_MANUAL, manual: { ...GT_MANUAL.manual, sha256: late } });
    await learner.forget({ sha256: late, run: 1 });
    await learner.learn({ sha256: late, run: 1 });
    expect(await left(late)).toEqual(nothing);
  });

  it("keeps a manual that was read again when events of the reading before come late", async () => {
    const { learner } = world();
    const before = await left(GT);
    expect(before.rows).toBeGreaterThan(0);
    await learner.learn({ sha256: GT, run: run + 1 });
    run += 1;
    await learner.forget({ sha256: GT, run: run - 1 });
    await learner.learn({ sha256: GT, run: run - 1 });
    expect(await left(GT)).toEqual(before);
    await learner.forget({ sha256: GT, run });
    expect(await left(GT)).toEqual(nothing);
  });

  it("takes passages of manuals and documents that nobody keeps out of the index, and no others", async () => {
    const { learner } = world();
    const gone = ["f".repeat(64), "document:gone"];
    for (const manual of gone)
      await index.put({ manual, passages: [{ page: 0, text: "The flywheel", equipment: [] }] });
    await learner.learnDocument({ id: "kept", content: "The flywheel is kept" });
    // Its rows went, and the index did not answer.
    const away: PassageIndex = { ...index, remove: () => Promise.reject(new Error("The index is away")) };
    await expect(world(away).learner.forget({ sha256: GT, run })).rejects.toThrow("away");
    await learner.mendPassages(new AbortController().signal);
    expect((await index.manuals()).map(({ manual }) => manual)).toEqual([RX, "document:kept"]);
    await learner.forgetDocument({ id: "kept" });
  });

  it("leaves no passages of one that is forgotten while they are put", async () => {
    const slow: PassageIndex = {
      ...index,
      manuals: () => index.manuals(),
      remove: (manual) => index.remove(manual),
      put: async (manual) => {
        const other = world();
        await other.learner.forget({ sha256: GT, run });
        await index.put(manual);
      },
    };
    await world(slow).learner.learn({ sha256: GT, run });
    expect(await left(GT)).toEqual(nothing);
  });
});
