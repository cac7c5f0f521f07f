import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import type { Embeddings } from "../../mixins/embeddings/port.ts";
import type { PassageIndex } from "../../packages/parts-search/src/passage-index/port.ts";
import { MOST_OF_A_NUMBER, ROWS, type RowDocument } from "../../packages/parts-search/src/fitment-index/collections.ts";
import { FitmentReader } from "../../packages/parts-search/src/fitment-index/reader.ts";

import { createFitmentWriter } from "../../services/ai/fitment/writer.ts";
import { createLearner, QUOTED_DOCUMENTS } from "../../services/ai/manual-learner.ts";
import { createManualKnowledge } from "../../services/ai/sources/manuals.ts";
import { GT, GT_MANUAL, madePipeline, part, RX, RX_MANUAL, type MadeManual } from "./ai.manuals.ts";
import { openStores, type Stores } from "./ai.stores.ts";

/** What a text is about, as numbers: how often it has each of these words. */
const CONCEPTS = ["carburetor", "blade", "filter"];
const counting = (model: string, fails = { count: 0 }): Embeddings => ({
  model,
  embed: async (texts) => {
    if (fails.count > 0) {
      fails.count -= 1;
      throw new Error("The endpoint is away");
    }
    return texts.map((text) =>
      Float32Array.from([...CONCEPTS.map((word) => text.toLowerCase().split(word).length - 1), 0.1]),
    );
  },
  close: async () => undefined,
});

describe("Learning manuals", () => {
  let documents: DocumentStore;
  let index: PassageIndex;
  let close: Stores["close"];
  beforeAll(async () => {
    ({ documents, index, close } = await openStores("learning"));
  });
  afterAll(() => close());

  const world = (made: readonly MadeManual[], embeddings?: Embeddings, partsAtOnce?: number) => {
    const source = madePipeline(made, partsAtOnce === undefined ? {} : { partsAtOnce });
    const reader = new FitmentReader(documents);
    const deps = { source, reader, index: () => index, ...(embeddings && { embeddings }) };
    const withoutVectors: unknown[] = [];
    const learner = createLearner({
      documents: documents.collection(QUOTED_DOCUMENTS),
      ...deps,
      fitment: createFitmentWriter(documents),
      onWithoutVectors: (error) => withoutVectors.push(error),
    });
    return {
      source,
      reader,
      learner,
      withoutVectors,
      knowledge: createManualKnowledge({ ...deps, onFailure: () => undefined }),
    };
  };
  const rowsThere = (sha256: string) => documents.collection<RowDocument>(ROWS).count({ sha256 });

  it("finds passages by words, narrowed to a model as it is typed", async () => {
    const { learner, knowledge } = world([GT_MANUAL, RX_MANUAL]);
    await learner.learn({ sha256: GT, run: 1 });
    await learner.learn({ sha256: RX, run: 1 });
    const [first] = await knowledge.passages({
      words: "Which carburetor fits my GT 2254?",
      models: ["meadow gt2254"],
      limit: 3,
    });
    expect(first).toMatchObject({ sha256: GT, page: 6, equipment: ["GT-2254", "GT-2260"] });
    expect(first!.text).toContain("3  15964-8141  CARBURETOR  1");
    const pages = async (models: string[]) =>
      (await knowledge.passages({ words: "oil filter, blade bolt", models, limit: 5 }))
        .map(({ sha256, page }) => `${sha256[0]} ${page}`)
        .sort();
    expect(await pages(["GT-2254"])).toEqual(["a 6"]);
    expect(await pages(["GT"])).toEqual(["a 6", "a 8"]);
    expect(await pages(["RX48"])).toEqual(["b 2"]);
    expect(await pages(["no such"])).toEqual([]);
  });

  it("finds a document that was stored, for the equipment that it names, and says which model made its vectors", async () => {
    const { learner, knowledge } = world([GT_MANUAL], counting("sentences-1"));
    await learner.learn({ sha256: GT, run: 1 });
    const document = { id: "note-1", content: "The gt 2254 blade bolts take 104 in-lb since 2024." };
    await learner.learnDocument(document);
    const found = { sha256: "document:note-1", page: 0, text: document.content, equipment: ["GT-2254"] };
    expect(await knowledge.passages({ words: "since 2024", models: ["GT-2254"], limit: 1 })).toMatchObject([found]);
    expect(await knowledge.passages({ words: "since 2024", limit: 1 })).toMatchObject([found]);
    const vector = (await counting("sentences-1").embed(["blade"]))[0]!;
    expect((await knowledge.passages({ vector, limit: 3 })).map(({ sha256 }) => sha256)).toContain(found.sha256);
    await learner.forgetDocument(document);
    const left = await knowledge.passages({ words: "since 2024", limit: 3 });
    expect(left.map(({ sha256 }) => sha256)).not.toContain(found.sha256);
  });

  it("finds a document that was stored before the manual of its equipment, or whose equipment was corrected", async () => {
    const sha256 = "c".repeat(64);
    const named = (equipment: string): MadeManual => ({
      ...RX_MANUAL,
      manual: { ...RX_MANUAL.manual, sha256, equipment: [equipment] },
    });
    let embedded = 0;
    const { embed, ...model } = counting("sentences-1");
    const counted: Embeddings = { ...model, embed: (texts) => embed(texts).finally(() => (embedded += 1)) };
    const { source, learner, knowledge } = world([GT_MANUAL, RX_MANUAL, named("LX-9")], counted);
    const found = async (equipment: string) =>
      (await knowledge.passages({ words: "wombat", models: [equipment], limit: 3 })).map(({ equipment }) => equipment);
    const mending = async () => {
      embedded = 0;
      await learner.mendPassages(new AbortController().signal);
      return embedded;
    };
    await mending();
    await learner.learnDocument({ id: "early", content: "The wombat of the LX-9 bolts, or of the LX-19" });
    await learner.learn({ sha256, run: 1 });
    expect(await found("LX-9")).toEqual([]);
    expect(await mending()).toBe(1);
    expect(await found("LX-9")).toEqual([["LX-9"]]);
    source.manuals.set(sha256, named("LX-19"));
    await learner.learn({ sha256, run: 1 });
    expect(await mending()).toBe(1);
    expect([await found("LX-9"), await found("LX-19")]).toEqual([[], [["LX-19"]]]);
    await learner.learn({ sha256: GT, run: 1 });
    expect(await mending()).toBe(0);
    await learner.forget({ sha256, run: 1 });
    expect(await mending()).toBe(1);
    await learner.forgetDocument({ id: "early" });
  });

  it("finds a manual and a document by their words while their vectors are made", async () => {
    const { embed, ...model } = counting("sentences-1");
    const waiting: (() => void)[] = [];
    const slow: Embeddings = {
      ...model,
      embed: async (texts) => {
        await new Promise<void>((go) => waiting.push(go));
        return embed(texts);
      },
    };
    const { learner, knowledge } = world([GT_MANUAL], slow);
    const learning = [
      learner.learn({ sha256: GT, run: 1 }),
      learner.learnDocument({ id: "slow", content: "The axolotl is a filter" }),
    ];
    while (waiting.length < 2) await nextTurn();
    expect((await knowledge.passages({ words: "carburetor", limit: 1 }))[0]).toMatchObject({ sha256: GT, page: 6 });
    expect(await knowledge.passages({ words: "axolotl", limit: 1 })).toMatchObject([{ sha256: "document:slow" }]);
    for (const go of waiting) go();
    await Promise.all(learning);
    const vectorModels = new Map((await index.manuals()).map(({ manual, vectorModel }) => [manual, vectorModel]));
    expect([GT, "document:slow"].map((manual) => vectorModels.get(manual))).toEqual(["sentences-1", "sentences-1"]);
    await learner.forgetDocument({ id: "slow" });
  });

  it("a document that is changed while its older text is embedded is found by the newer one, and is learnt once", async () => {
    const { embed, ...model } = counting("sentences-1");
    const waiting: (() => void)[] = [];
    let embedded = 0;
    const slow: Embeddings = {
      ...model,
      embed: async (texts) => {
        embedded += 1;
        if (texts.some((text) => text.includes("older"))) await new Promise<void>((go) => waiting.push(go));
        return embed(texts);
      },
    };
    const { learner, knowledge } = world([GT_MANUAL], slow);
    const id = "changed";
    const first = learner.learnDocument({ id, content: "The quokka is an older filter" });
    while (waiting.length === 0) await nextTurn();
    const newer = { id, content: "The quokka is a newer filter" };
    await learner.learnDocument(newer);
    waiting[0]!();
    await first;
    const found = async () => (await knowledge.passages({ words: "quokka", limit: 5 })).map(({ text }) => text);
    expect(await found()).toEqual([newer.content]);
    const before = embedded;
    await learner.learnDocument(newer);
    expect(embedded).toBe(before);
    await learner.forgetDocument({ id });
    expect(await found()).toEqual([]);
  });

  it("finds a piece of a document for the equipment that it names, or that is the only one of the document", async () => {
    const { learner, knowledge } = world([GT_MANUAL, RX_MANUAL]);
    await learner.learn({ sha256: GT, run: 1 });
    await learner.learn({ sha256: RX, run: 1 });
    const filler = "Quibbles of the workshop are told here at some length, for nobody in particular. ".repeat(12);
    const pieces = async (id: string, ...texts: string[]) => {
      await learner.learnDocument({ id, content: texts.join(`\n\n${filler}\n\n`) });
      const found = await knowledge.passages({ words: "zebra", limit: 9 });
      await learner.forgetDocument({ id });
      return found.map(({ text, equipment }) => [/zebra \w+/.exec(text)?.[0], equipment]).sort();
    };
    expect(await pieces("two", "GT-2254: zebra one", "RX-48: zebra two", "zebra three")).toEqual([
      ["zebra one", ["GT-2254"]],
      ["zebra three", []],
      ["zebra two", [RX_MANUAL.manual.equipment![0]]],
    ]);
    expect(await pieces("one", "GT-2254: zebra one", "zebra three")).toEqual([
      ["zebra one", ["GT-2254"]],
      ["zebra three", ["GT-2254"]],
    ]);
  });

  it("learning the same again changes nothing, and leaves nothing behind", async () => {
    const { learner, reader } = world([GT_MANUAL]);
    const before = await reader.readByModel("GT-2260");
    const rows = await rowsThere(GT);
    await learner.learn({ sha256: GT, run: 1 });
    await learner.learn({ sha256: GT, run: 1 });
    expect(await new FitmentReader(documents).readByModel("GT-2260")).toEqual(before);
    expect(await reader.readByModel("GT-2260")).toEqual(before);
    expect(await rowsThere(GT)).toBe(rows);
  });

  it("no look sees a manual half old and half new", async () => {
    const sha256 = "d".repeat(64);
    const generation = (number: number): MadeManual => ({
      manual: {
        ...GT_MANUAL.manual,
        sha256,
        equipment: ["DX-10"],
        figures: [{ label: "1", title: `Generation ${number}`, page: 1, images: [] }],
      },
      parts: Array.from({ length: 40 }, (_, at) =>
        part("4000-1", at + 1, { figure: "1", reference: String(at), description: `generation ${number}` }),
      ),
      pages: [],
    });
    const { source, learner, reader } = world([generation(0)], undefined, 7);
    await learner.learn({ sha256, run: 1 });
    const cold = () => new FitmentReader(documents);
    let isDone = false;
    const writing = (async () => {
      for (let number = 1; number <= 8; number += 1) {
        source.manuals.set(sha256, generation(number));
        await learner.learn({ sha256, run: 1 });
      }
      isDone = true;
    })();
    let looks = 0;
    while (!isDone) {
      // Embedded reads never leave the thread, so that nobody else would get a turn.
      await nextTurn();
      for (const each of [reader, cold()]) {
        for (const rows of [(await each.readByModel("dx10")).rows, (await each.readByPart("40001")).rows]) {
          expect([rows.length, new Set(rows.map(({ description }) => description)).size]).toEqual([40, 1]);
          looks += 1;
        }
        const diagrams = await each.findDiagramsByPart("4000-1", 10);
        expect(diagrams).toHaveLength(1);
      }
    }
    await writing;
    expect(looks).toBeGreaterThan(0);
    expect((await reader.readByModel("DX-10")).rows[0]).toMatchObject({
      description: "generation 8",
      schema: "Figure 1: Generation 8",
    });
    expect(await rowsThere(sha256)).toBe(40);
  }, 60_000);

  it("lists a diagram once where two manuals spell one model differently", async () => {
    const spelled = (letter: string, equipment: string): MadeManual => ({
      ...GT_MANUAL,
      manual: { ...GT_MANUAL.manual, sha256: letter.repeat(64), equipment: [equipment] },
    });
    const { learner, reader } = world([spelled("2", "QX-7711"), spelled("3", "QX 7711")]);
    await learner.learn({ sha256: "2".repeat(64), run: 1 });
    await learner.learn({ sha256: "3".repeat(64), run: 1 });
    const found = (await reader.findDiagramsByModel("QX-7711", 10)).map(({ sha256, key, equipment }) =>
      [sha256[0], key, equipment].join(" "),
    );
    expect(found.sort()).toEqual(["2 6 QX-7711", "2 7 QX-7711", "3 6 QX 7711", "3 7 QX 7711"]);
    for (const sha256 of ["2".repeat(64), "3".repeat(64)]) await learner.forget({ sha256, run: 1 });
  });

  it("of two that learn a manual at once one counts, whole, and the other must come again", async () => {
    const { learner, source, reader } = world([RX_MANUAL], undefined, 1);
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    source.beforeParts = async () => {
      if (++waiting === 2) both.resolve();
      await both.promise;
    };
    const results = await Promise.allSettled([
      learner.learn({ sha256: RX, run: 1 }),
      learner.learn({ sha256: RX, run: 1 }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await reader.readByModel("RX-48")).rows).toHaveLength(2);
    await learner.learn({ sha256: RX, run: 1 });
    expect(await rowsThere(RX)).toBe(2);
  });

  it("a model that renames itself is found by its new name alone", async () => {
    const { learner, source, reader } = world([RX_MANUAL]);
    source.manuals.set(RX, { ...RX_MANUAL, manual: { ...RX_MANUAL.manual, equipment: ["RX-50"] } });
    await learner.learn({ sha256: RX, run: 1 });
    expect((await reader.readByModel("RX-48")).rows).toEqual([]);
    expect((await reader.readByModel("rx50")).rows).toHaveLength(2);
    source.manuals.set(RX, RX_MANUAL);
    await learner.learn({ sha256: RX, run: 1 });
  });

  it("finds passages by vector, and mends those that lack vectors of the model", async () => {
    const { learner, knowledge } = world([GT_MANUAL, RX_MANUAL], counting("m1"));
    const asked = { vector: Float32Array.from([0, 1, 0, 0]), limit: 5 };
    expect(await knowledge.passages(asked)).toEqual([]);
    await learner.mendPassages(new AbortController().signal);
    const found = await knowledge.passages(asked);
    expect(found.map(({ page }) => page)).toEqual(expect.arrayContaining([6, 8]));
    expect((await index.manuals()).filter(({ manual }) => [GT, RX].includes(manual))).toEqual(
      [GT, RX].map((manual) => ({ manual, passages: expect.any(Number), vectorModel: "m1" })),
    );
    await index.remove(GT);
    await learner.mendPassages(new AbortController().signal);
    expect((await knowledge.passages(asked)).map(({ text }) => text).sort()).toEqual(
      found.map(({ text }) => text).sort(),
    );
  });

  it("mends a document that the index lost, or has by another model; one that was forgotten stays so", async () => {
    const [kept, forgotten] = ["kept", "forgotten"].map((id) => ({ id, content: `The okapi ${id} is a filter` }));
    const { learner } = world([GT_MANUAL, RX_MANUAL], counting("m1"));
    for (const document of [kept!, forgotten!]) await learner.learnDocument(document);
    await learner.forgetDocument(forgotten!);
    const found = async (model: string) => {
      const { knowledge, learner: mending } = world([GT_MANUAL, RX_MANUAL], counting(model));
      await mending.mendPassages(new AbortController().signal);
      const vectors = (await index.manuals()).find(({ manual }) => manual === "document:kept")?.vectorModel;
      return [(await knowledge.passages({ words: "okapi", limit: 5 })).map(({ text }) => text), vectors];
    };
    await index.remove("document:kept");
    expect(await found("m1")).toEqual([[kept!.content], "m1"]);
    expect(await found("m3")).toEqual([[kept!.content], "m3"]);
    await learner.forgetDocument(kept!);
    expect(await found("m1")).toEqual([[], undefined]);
  });

  it("where the model that makes vectors fails, words find the passages, and vectors are added when it is back", async () => {
    const { learner, knowledge, withoutVectors } = world([GT_MANUAL, RX_MANUAL], counting("m2", { count: 1 }));
    await learner.learn({ sha256: GT, run: 1 });
    expect(withoutVectors).toEqual([expect.objectContaining({ message: "The endpoint is away" })]);
    expect((await knowledge.passages({ words: "carburetor", limit: 1 }))[0]).toMatchObject({ page: 6 });
    await learner.mendPassages(new AbortController().signal);
    expect((await index.manuals()).find(({ manual }) => manual === GT)).toMatchObject({ vectorModel: "m2" });
  });

  it("a number in more rows than are read is said to be, and a model's own rows of it are all there", async () => {
    const bolts = (sha256: string, equipment: string, count: number): MadeManual => ({
      manual: { ...RX_MANUAL.manual, sha256, equipment: [equipment], figures: [] },
      parts: Array.from({ length: count }, (_, at) => part("710-0599", at + 1, { reference: String(at) })),
      pages: [],
    });
    const { learner, reader } = world(
      [bolts("1".repeat(64), "WX-1", MOST_OF_A_NUMBER), bolts("0".repeat(64), "WX-2", 3)],
      undefined,
      1_000,
    );
    await learner.learn({ sha256: "1".repeat(64), run: 1 });
    expect(await reader.readByPart("7100599")).toMatchObject({ isCut: false, rows: { length: MOST_OF_A_NUMBER } });
    await learner.learn({ sha256: "0".repeat(64), run: 1 });
    expect(await reader.readByPart("7100599")).toMatchObject({ isCut: true, rows: { length: MOST_OF_A_NUMBER } });
    expect((await reader.readByModel("WX-2")).rows.map(({ pnNorm, page }) => [pnNorm, page])).toEqual([
      ["7100599", 1],
      ["7100599", 2],
      ["7100599", 3],
    ]);
  }, 60_000);

  it("one model in two spellings is one: its parts are listed once", async () => {
    const sha256 = "e".repeat(64);
    const { learner, reader } = world([
      { ...RX_MANUAL, manual: { ...RX_MANUAL.manual, sha256, equipment: ["TX-77", "tx 77"] } },
    ]);
    await learner.learn({ sha256, run: 1 });
    expect(await reader.readByModel("tx77")).toMatchObject({
      models: [{ equipment: "TX-77" }],
      total: 2,
      rows: [{ page: 2 }, { page: 3 }],
    });
  });

  it("manuals that have their words are not read while the model is away; one that the index lacks is", async () => {
    const all = [..."456789"].map((digit): MadeManual => ({
      ...RX_MANUAL,
      manual: { ...RX_MANUAL.manual, sha256: digit.repeat(64), equipment: [`MX-${digit}`] },
    }));
    const words = world(all);
    for (const { manual } of all) await words.learner.learn({ sha256: manual.sha256, run: 1 });
    const lost = all.at(-1)!.manual.sha256;
    await index.remove(lost);
    const { source, learner } = world(all, counting("m4", { count: Infinity }));
    const read: string[] = [];
    const { readPages: pages } = source;
    source.readPages = (sha256) => {
      read.push(sha256);
      return pages(sha256);
    };
    await expect(learner.mendPassages(new AbortController().signal)).rejects.toThrow("could not be put");
    expect(read).toEqual([...all.slice(0, 3).map(({ manual }) => manual.sha256), lost]);
    expect(await index.manuals()).toContainEqual({ manual: lost, passages: 1 });
    for (const { manual } of all) await words.learner.forget({ sha256: manual.sha256, run: 1 });
  });

  it("passages that are there already are not written again while the model is away", async () => {
    let written = 0;
    const { source, reader } = world([GT_MANUAL, RX_MANUAL]);
    const counted: Pick<PassageIndex, "put" | "remove" | "manuals"> = {
      remove: (manual) => index.remove(manual),
      manuals: () => index.manuals(),
      put: async () => void (written += 1),
    };
    const learner = createLearner({
      documents: documents.collection(QUOTED_DOCUMENTS),
      source,
      reader,
      index: () => counted,
      fitment: createFitmentWriter(documents),
      embeddings: counting("m3", { count: Infinity }),
      onWithoutVectors: () => undefined,
    });
    await expect(learner.mendPassages(new AbortController().signal)).rejects.toThrow("could not be put");
    expect(written).toBe(0);
  });
});
