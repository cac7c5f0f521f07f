import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { createFitmentWriter } from "../../services/ai/fitment/writer.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { GT, madePipeline, part, type MadeManual } from "./ai.manuals.ts";

const MANUAL: MadeManual = {
  manual: {
    sha256: GT,
    filename: "gt.pdf",
    title: "Parts manual",
    manufacturer: "Meadow",
    equipment: ["GT-2254"],
    pages: 9,
    figures: [{ label: "6", title: "Engine", page: 6, images: [] }],
  },
  parts: [part("100", 6, { figure: "6", reference: "1", quantity: 2 })],
  pages: [],
};
const ROWS = [
  { part_number: "100", title: "Carburetor", description: "Also fits Command CH25." },
  { part_number: "200", title: "Carburetor Kit", fits: ["GT-2254", "Zephyr 9000"] },
  { part_number: "300", title: "Carburetor Bowl", description: "Fits GT-2254 and Command CH25." },
  { part_number: "400", title: "Carburetor Jet" },
];
const importParts = (test: TestBroker, rows: readonly object[], contentType = "application/x-ndjson") =>
  call(
    test.broker,
    "catalog.import",
    { vendor: "KOH", contentType },
    { stream: Readable.from([Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"))]) },
  );

describe("What a part fits, by manuals, descriptions and the data of suppliers", () => {
  let test: TestBroker;
  beforeAll(async () => {
    const settings = testSettings();
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    const pages = { onlyOfPage: new Map(), serialsOfFigure: new Map(), drawn: [] };
    await createFitmentWriter(documents).write(MANUAL.manual, 1, madePipeline([MANUAL]), pages);
    test = await startTestBroker({ services: ["catalog", "search", "ai"], transport: "fake", settings, documents });
    await importParts(test, ROWS);
    await call(test.broker, "search.refresh", {});
    await eventually(async () => (await call(test.broker, "ai.fitmentModels", { q: "zephyr" })).models.length === 1);
  });
  afterAll(() => test.stop());

  it("stands with its source on the part's page and beside the desk's hits", async () => {
    const manual = { equipment: "GT-2254", quantity: 2, pdf_link: expect.stringContaining(GT), source: "manual" };
    const nowhere = { schema: "", quantity: null, pdf_link: null };
    const fitment = [
      [manual, { ...nowhere, equipment: "Command CH25", source: "description" }],
      [
        { ...nowhere, equipment: "GT-2254", source: "listing" },
        { ...nowhere, equipment: "Zephyr 9000", source: "listing" },
      ],
    ];
    for (const [index, id] of ["koh-100", "koh-200"].entries()) {
      for (const action of ["search.part", "search.aiPart"] as const)
        expect((await call(test.broker, action, { id })).fitment).toMatchObject(fitment[index]!);
    }
    expect(await call(test.broker, "catalog.get", { id: "koh-200" })).toMatchObject({
      fits: ["GT-2254", "Zephyr 9000"],
    });
    const { parts, equipment } = await call(test.broker, "ai.equipment", { part: "100" });
    expect(equipment).toEqual([
      { equipment: "GT-2254", manufacturer: "Meadow" },
      { equipment: "Command CH25", manufacturer: "Kohler" },
    ]);
    expect(parts.map(({ source, page }) => [source, page])).toEqual([
      ["manual", 6],
      ["description", null],
    ]);
  });

  it("finds the parts of a machine, page by page, what manuals list first", async () => {
    const found = await call(test.broker, "search.search", { q: "carburetor", equipment: "gt 2254" });
    expect(found.parts.map(({ id }) => id).sort()).toEqual(["koh-100", "koh-200", "koh-300"]);
    const page = (number: number) => call(test.broker, "ai.equipment", { model: "gt 2254", page: number, pageSize: 2 });
    const [first, second] = [await page(1), await page(2)];
    const rows = [...first.parts, ...second.parts];
    expect(rows.map(({ partNumber, source }) => `${partNumber} ${source}`).sort()).toEqual([
      "100 manual",
      "200 listing",
      "300 description",
    ]);
    expect(rows[0]).toMatchObject({ partNumber: "100", page: 6 });
    expect([first.pagination.total, second.pagination.total]).toEqual([3, 3]);
  });

  it("lists machines of manuals and catalog together, each once", async () => {
    const { models } = await call(test.broker, "ai.fitmentModels", { pageSize: 100 });
    expect(models.map(({ equipment, manufacturer, manuals }) => [manufacturer, equipment, manuals])).toEqual([
      ["Kohler", "Command CH25", 0],
      ["Meadow", "GT-2254", 1],
      ["Kohler", "Zephyr 9000", 0],
    ]);
    const { makes } = await call(test.broker, "ai.fitmentMakes", { q: "koh" });
    expect(makes).toEqual([{ make: "Kohler", models: 2 }]);
    const id = models[0]!.id;
    expect(await call(test.broker, "ai.fitmentFigures", { model: id })).toMatchObject({
      models: [{ equipment: "Command CH25", manufacturer: "Kohler" }],
      figures: [],
    });
    await expect(call(test.broker, "ai.fitmentFigures", { model: "none-1" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("suggests machines while they are typed, also amid words, and none for words or a slip", async () => {
    const suggest = async (q: string) =>
      ((await call(test.broker, "search.suggest", { q })).machines ?? []).map(({ equipment }) => equipment);
    expect(await suggest("gt-22")).toEqual(["GT-2254"]);
    expect(await suggest("carburetor kohler ch25")).toEqual(["Command CH25"]);
    expect(await suggest("9000")).toEqual(["Zephyr 9000"]);
    for (const q of ["command", "gt-2253", "614071"]) expect(await suggest(q)).toEqual([]);
  });

  it("refuses a row whose machines are no list of names, and forgets machines that a file takes back", async () => {
    const rows = [
      { part_number: "400", title: "Carburetor Jet", fits: [7] },
      { part_number: "401", title: "Carburetor Jet", fits: "x".repeat(61) },
      { part_number: "402", title: "Carburetor Jet", fits: "A 1; B 2;; A 1" },
      { part_number: "200", title: "Carburetor Kit", fits: null },
    ];
    const { refused } = await importParts(test, rows);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [1, "not_fits"],
      [2, "not_fits"],
    ]);
    expect((await call(test.broker, "catalog.get", { id: "koh-402" })).fits).toEqual(["A 1", "B 2"]);
    expect(await call(test.broker, "catalog.get", { id: "koh-200" })).not.toHaveProperty("fits");
  });
});

it("answers what manuals say where the catalog cannot be asked, and says that it is missing", async () => {
  const settings = testSettings();
  const documents = await openDocumentStore({ dataDir: settings.dataDir });
  const pages = { onlyOfPage: new Map(), serialsOfFigure: new Map(), drawn: [] };
  await createFitmentWriter(documents).write(MANUAL.manual, 1, madePipeline([MANUAL]), pages);
  const test = await startTestBroker({ services: ["ai"], transport: "fake", settings, documents });
  try {
    expect(await call(test.broker, "ai.fitmentModels", {})).toMatchObject({
      models: [{ equipment: "GT-2254" }],
      missing: ["catalog"],
    });
    expect(await call(test.broker, "ai.equipment", { model: "GT-2254" })).toMatchObject({
      parts: [{ partNumber: "100", source: "manual" }],
      missing: ["catalog"],
    });
  } finally {
    await test.stop();
  }
});
