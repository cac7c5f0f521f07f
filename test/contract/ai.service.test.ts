import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ROWS } from "../../packages/parts-search/src/fitment-index/collections.ts";
import { call, outbox } from "../../services/contracts.ts";
import { getPartsPieceKey } from "../../services/shared/manual-objects.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { boxAt, GT, GT_MANUAL, putManual, RX, RX_MANUAL, type MadeManual } from "./ai.manuals.ts";
import { useStarted } from "../support/use-started.ts";

describe("What the AI service knows of manuals", () => {
  const settings = testSettings(mongoSetting("ai"));
  const test = useStarted(() => startTestBroker({ services: ["ai"], transport: "fake", settings }));
  beforeAll(async () => {
    for (const made of [GT_MANUAL, RX_MANUAL]) await putManual(settings, made);
    await tell(GT_MANUAL);
    await tell(RX_MANUAL);
    await eventually(
      async () =>
        (await equipment({ model: "GT-2254" })).parts.length > 0 &&
        (await equipment({ model: "RX-48" })).parts.length > 0,
    );
  });

  const tell = async (
    { manual: { sha256, filename, equipment: models, pages }, parts }: MadeManual,
    eventId?: string,
  ): Promise<void> => {
    await test.documents.atomically([
      outbox(
        "document.created",
        {
          sha256,
          run: 1,
          filename,
          equipment: models,
          pages,
          parts: parts.length,
          tables: 0,
          images: 0,
          object_prefix: `manuals/${sha256}/`,
          embedding_model: "lexical",
        },
        eventId,
      ),
    ]);
    test.channels.wake();
  };
  const equipment = (params: { model?: string; part?: string; page?: number; pageSize?: number }) =>
    call(test.broker, "ai.equipment", params);
  const link = (page: number, sha256 = GT): string =>
    `http://127.0.0.1:8000/api/manuals/${sha256}/source.pdf#page=${page}`;

  it("lists the parts of an equipment, schema by schema, each with its page", async () => {
    const answer = await equipment({ model: "meadow gt2260" });
    expect(answer.equipment).toEqual([{ equipment: "GT-2260", manufacturer: "Meadow" }]);
    expect(answer.pagination).toEqual({ page: 1, pageSize: 20, total: 3, totalPages: 1 });
    expect(
      answer.parts.map(({ partNumber, schema, reference, quantity }) => [partNumber, schema, reference, quantity]),
    ).toEqual([
      ["15964-8141", "Figure 6: Engine", "3", 1],
      ["49-065-7005", "Figure 6: Engine", "4", 2],
      ["92153-1405", "Figure 7: Mower Deck", "1", 4],
    ]);
    expect(answer.parts[1]).toEqual({
      equipment: "GT-2260",
      manufacturer: "Meadow",
      partNumber: "49-065-7005",
      productId: null,
      description: "OIL FILTER, old",
      schema: "Figure 6: Engine",
      reference: "4",
      quantity: 2,
      page: 6,
      pdf_link: link(6),
      replacedBy: "49065-0721",
      source: "manual",
    });
    expect((await equipment({ model: "GT-2254" })).parts.map(({ partNumber }) => partNumber)).toEqual([
      "15964-8141",
      "49-065-7005",
    ]);
  });

  it("lists those of a family, page by page", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => equipment({ model: "GT", page, pageSize: 2 })));
    expect(pages[0]!.equipment.map((each) => each.equipment)).toEqual(["GT-2254", "GT-2260"]);
    expect(pages[0]!.pagination).toEqual({ page: 1, pageSize: 2, total: 5, totalPages: 3 });
    expect(pages.flatMap(({ parts }) => parts.map((each) => `${each.equipment} ${each.partNumber}`))).toEqual([
      "GT-2254 15964-8141",
      "GT-2254 49-065-7005",
      "GT-2260 15964-8141",
      "GT-2260 49-065-7005",
      "GT-2260 92153-1405",
    ]);
  });

  it("lists the equipment that a part fits, with what it replaces and what replaces it", async () => {
    const fits = await equipment({ part: "490650721" });
    expect(fits.equipment.map((each) => each.equipment)).toEqual(["RX-48", "GT-2254", "GT-2260"]);
    expect(fits.parts.map((each) => `${each.equipment} ${each.partNumber}`)).toEqual([
      "RX-48 49065-0721",
      "GT-2254 49-065-7005",
      "GT-2260 49-065-7005",
    ]);
    expect(fits.supersession).toEqual({ replacedBy: [], replaces: [{ partNumber: "49-065-7005", pdf_link: link(6) }] });
    expect((await equipment({ part: "49 065 7005" })).supersession).toEqual({
      replacedBy: [{ partNumber: "49065-0721", pdf_link: link(6) }],
      replaces: [],
    });
  });

  it.each([[{ model: "GT-9999" }], [{ model: "--" }], [{ part: "no such part" }], [{ part: "?" }]])(
    "knows nothing of %j, which is no error",
    async (params) => {
      expect(await equipment(params)).toMatchObject({ equipment: [], parts: [], pagination: { total: 0 } });
      expect(await call(test.broker, "ai.diagrams", params)).toEqual({ diagrams: [] });
    },
  );

  it.each([["equipment"], ["diagrams"]] as const)(
    "refuses %s of nothing, and of both, naming the two",
    async (action) => {
      const wrong = [...(action === "diagrams" ? [{}] : []), { model: "GT", part: "1" }];
      for (const params of wrong) {
        await expect(call(test.broker, `ai.${action}`, params)).rejects.toMatchObject({
          code: "VALIDATION_FAILED",
          message: expect.stringMatching(/'model' and 'part'/),
          data: [{ field: "model" }, { field: "part" }],
        });
      }
    },
  );

  it("lists all equipment where neither is asked for, and the manuals, page by page", async () => {
    const all = await call(test.broker, "ai.equipment", { pageSize: 100 });
    expect(all).toMatchObject({ parts: [], pagination: { total: all.equipment.length } });
    expect(all.equipment.map(({ equipment: name }) => name)).toContain("GT-2254");
    const second = await call(test.broker, "ai.equipment", { page: 2, pageSize: 1 });
    expect(second.equipment).toEqual(all.equipment.slice(1, 2));
    const { manuals, pagination } = await call(test.broker, "ai.manuals", { pageSize: 100 });
    expect(pagination.total).toBe(manuals.length);
    expect(manuals.find(({ sha256 }) => sha256 === GT)).toMatchObject({
      equipment: expect.arrayContaining(["GT-2254"]),
      pdf_link: `http://127.0.0.1:8000/api/manuals/${GT}/source.pdf`,
    });
    expect((await call(test.broker, "ai.manuals", { page: 9, pageSize: 100 })).manuals).toEqual([]);
  });

  it("shows the diagrams of an equipment and of a part: an image where there is one, else the page drawn", async () => {
    const base = `http://127.0.0.1:8000/api/manuals/${GT}`;
    const callout = (
      ref: string,
      place: number,
      partNumber: string | null,
      title: string | null,
      quantity: number | null,
    ) => ({
      ref,
      box: boxAt(place),
      partNumber,
      partId: null,
      title,
      quantity,
      price: null,
      availability: null,
    });
    const engine = (model: string) => ({
      equipment: model,
      figureId: `${GT}-e7f6c011776e`,
      pageImageUrl: `${base}/pages/6.webp`,
      callouts: [
        callout("3", 0.25, "15964-8141", "CARBURETOR", 1),
        callout("4", 0.5, "49-065-7005", "OIL FILTER, old", 2),
        callout("9", 0.75, null, null, null),
      ],
      schema: "Figure 6: Engine",
      page: 6,
      imageUrl: `${base}/images/6-2.webp`,
      pdf_link: link(6),
    });
    const deck = {
      equipment: "GT-2260",
      figureId: `${GT}-7902699be42c`,
      pageImageUrl: `${base}/pages/8.webp`,
      callouts: [callout("1", 0.4, "92153-1405", "BLADE BOLT", 4)],
      schema: "Figure 7: Mower Deck",
      page: 8,
      imageUrl: `${base}/pages/8.webp`,
      pdf_link: link(8),
    };
    expect(await call(test.broker, "ai.diagrams", { model: "gt2254" })).toEqual({ diagrams: [engine("GT-2254")] });
    expect(await call(test.broker, "ai.diagrams", { model: "gt2260" })).toEqual({
      diagrams: [engine("GT-2260"), deck],
    });
    expect(await call(test.broker, "ai.diagrams", { part: "92153 1405" })).toEqual({ diagrams: [deck] });
  });

  it("leads from makes to models to figures to the parts and callouts of one", async () => {
    expect(await call(test.broker, "ai.fitmentMakes", {})).toEqual({
      makes: [{ make: "Meadow", models: 3 }],
      // No search service is there to ask.
      missing: ["catalog"],
      near: false,
      pagination: { page: 1, pageSize: 20, total: 1, totalPages: 1 },
    });
    expect((await call(test.broker, "ai.fitmentMakes", { q: "medow" })).near).toBe(true);
    const { models, pagination } = await call(test.broker, "ai.fitmentModels", {
      make: "meadow",
      q: "gt 22",
      pageSize: 1,
    });
    expect(pagination).toMatchObject({ total: 2, totalPages: 2 });
    expect(models).toEqual([{ id: "meadow-gt-2254", equipment: "GT-2254", manufacturer: "Meadow", manuals: 1 }]);
    expect(await call(test.broker, "ai.fitmentModels", { q: "gt-2206" })).toMatchObject({
      models: [{ equipment: "GT-2260" }],
      near: true,
    });

    const figures = await call(test.broker, "ai.fitmentFigures", { model: "meadow-gt-2260" });
    expect(figures.figures.map(({ schema, page }) => [schema, page])).toEqual([
      ["Figure 6: Engine", 6],
      ["Figure 7: Mower Deck", 8],
    ]);
    expect((await call(test.broker, "ai.fitmentFigures", { model: "gt2254" })).pagination.total).toBe(1);
    expect(
      (await call(test.broker, "ai.fitmentFigures", { model: "GT2260", page: 2, pageSize: 1 })).figures,
    ).toMatchObject([{ schema: "Figure 7: Mower Deck" }]);

    expect(figures.figures.map(({ serials }) => serials)).toEqual([[], [{ from: "A1000", to: "A1999" }]]);
    for (const [serial, total] of [
      ["a 1500", 2],
      ["A2000", 1],
      ["1500", 2],
    ] as const)
      expect([
        serial,
        (await call(test.broker, "ai.fitmentFigures", { model: "gt2260", serial })).pagination.total,
      ]).toEqual([serial, total]);

    const [engine, deck] = figures.figures;
    const figure = await call(test.broker, "ai.fitmentFigure", { figure: engine!.id });
    expect(figure.parts.map(({ reference, partNumber, quantity }) => [reference, partNumber, quantity])).toEqual([
      ["3", "15964-8141", 1],
      ["4", "49-065-7005", 2],
    ]);
    expect(
      figure.drawings.map(({ page, callouts }) => [page, callouts.map((each) => [each.ref, each.partNumber])]),
    ).toEqual([
      [
        6,
        [
          ["3", "15964-8141"],
          ["4", "49-065-7005"],
          ["9", null],
        ],
      ],
      [7, [["03", "15964-8141"]]],
    ]);
    expect(await call(test.broker, "ai.fitmentFigure", { figure: deck!.id, model: "meadow gt 2260" })).toMatchObject({
      equipment: ["GT-2260"],
      parts: [{ partNumber: "92153-1405", equipment: ["GT-2260"] }],
    });
    for (const missing of [
      () => call(test.broker, "ai.fitmentFigures", { model: "GT-9999" }),
      () => call(test.broker, "ai.fitmentFigures", { model: "GT" }),
      () => call(test.broker, "ai.fitmentFigure", { figure: deck!.id, model: "GT-2254" }),
      () => call(test.broker, "ai.fitmentFigure", { figure: `${GT}-000000000000` }),
      () => call(test.broker, "ai.fitmentFigure", { figure: `${"0".repeat(64)}-000000000000` }),
      () => call(test.broker, "ai.manualPage", { sha256: GT, page: 10 }),
      () => call(test.broker, "ai.manualPage", { sha256: "0".repeat(64), page: 1 }),
    ])
      await expect(missing()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("shows what is drawn on a page of a manual; of one that was read before places were kept, nothing", async () => {
    const page = await call(test.broker, "ai.manualPage", { sha256: GT, page: 6 });
    expect(page).toMatchObject({
      equipment: ["GT-2254", "GT-2260"],
      manufacturer: "Meadow",
      pages: 9,
      imageUrl: `http://127.0.0.1:8000/api/manuals/${GT}/pages/6.webp`,
      pdf_link: link(6),
      figures: [{ schema: "Figure 6: Engine" }],
    });
    expect(page.callouts.map(({ ref, partNumber }) => [ref, partNumber])).toEqual([
      ["3", "15964-8141"],
      ["4", "49-065-7005"],
      ["9", null],
    ]);
    expect((await call(test.broker, "ai.manualPage", { sha256: GT, page: 7 })).callouts).toMatchObject([
      { ref: "03", partNumber: "15964-8141" },
    ]);
    expect((await call(test.broker, "ai.manualPage", { sha256: RX, page: 2 })).callouts).toEqual([]);
  });

  it("learns a manual whose files cannot be read whole once they can, and shows nothing of it before", async () => {
    const sha256 = "c".repeat(64);
    const many: MadeManual = {
      manual: { ...RX_MANUAL.manual, sha256, equipment: ["BX-1"] },
      parts: Array.from({ length: 7 }, (_, at) => ({
        ...RX_MANUAL.parts[0]!,
        page: at + 1,
        partNumber: `7000${at}`,
        pnNorm: `7000${at}`,
      })),
      pages: [],
    };
    await putManual(settings, many);
    const piece = join(settings.dataDir, "objects", getPartsPieceKey(sha256, 1));
    const content = await readFile(piece);
    await writeFile(piece, content.subarray(0, 10));
    await tell(many);
    await eventually(async () => (await test.documents.collection(ROWS).count({ sha256 })) > 0);
    expect(await equipment({ model: "BX-1" })).toMatchObject({ equipment: [], parts: [] });
    expect(await equipment({ part: "70001" })).toMatchObject({ equipment: [], parts: [] });
    await writeFile(piece, content);
    await eventually(async () => (await equipment({ model: "BX-1" })).pagination.total === 7, 30_000);
    expect((await equipment({ part: "70001" })).parts).toHaveLength(1);
  }, 60_000);
});
