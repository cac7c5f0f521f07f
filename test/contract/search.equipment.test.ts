import { afterEach, describe, expect, it } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { FITMENT_STATE } from "../../packages/parts-search/src/fitment-index/collections.ts";
import { createFitmentWriter } from "../../services/ai/fitment/writer.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { GT, madePipeline, part, type MadeManual } from "./ai.manuals.ts";
import { storeAway } from "../support/store-away.ts";
import { importPrices } from "../support/import-prices.ts";

const BOLTS: MadeManual = {
  manual: {
    sha256: GT,
    filename: "gt.pdf",
    title: "Parts manual",
    equipment: ["GT-2254"],
    pages: 9,
    figures: [{ label: "6", title: "Engine", page: 6, images: [] }],
  },
  parts: [
    part("100", 6, { figure: "6", reference: "1", quantity: 2 }),
    part("300", 6, { figure: "6", reference: "2", vendor: "HON" }),
    part("200", 6, { replacedBy: "100", namedIn: "supersessions" }),
  ],
  pages: [],
};

/** The store, with fitment that cannot be read. */
const withoutFitment = (documents: DocumentStore): DocumentStore =>
  storeAway(documents, (_, names) => names.includes(FITMENT_STATE.name));

describe("A search for the parts of an equipment", () => {
  let test: TestBroker;
  afterEach(() => test.stop());
  const start = async (
    seenBy: (documents: DocumentStore) => DocumentStore = (documents) => documents,
    manual: MadeManual = BOLTS,
  ) => {
    const settings = testSettings();
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    await createFitmentWriter(documents).write(manual.manual, 1, madePipeline([manual]), {
      onlyOfPage: new Map(),
      serialsOfFigure: new Map(),
      drawn: [],
    });
    test = await startTestBroker({
      services: ["catalog", "search", "eventstore"],
      transport: "fake",
      settings,
      documents: seenBy(documents),
    });
    const file = "part_number,title,list_price\n100,Carburetor,10\n200,Carburetor Kit,20\n300,Carburetor Bowl,30\n";
    await importPrices(test.broker, file);
  };
  const ids = async (params: { q?: string; equipment?: string }): Promise<string[]> =>
    (await call(test.broker, "search.search", params)).parts.map(({ id }) => id);

  it("finds these alone, of their vendor where that is known, and leaves its event with the equipment", async () => {
    await start();
    expect(await ids({ q: "carburetor", equipment: "GT-2254" })).toEqual(["bns-100"]);
    expect(await ids({ q: "carburetor", equipment: "other" })).toEqual([]);
    expect(await ids({ q: "carburetor", equipment: " " })).toHaveLength(3);
    expect((await call(test.broker, "search.filters", { equipment: "GT-2254" })).total).toBe(1);
    const { data } = await eventually(
      async () => (await call(test.broker, "eventstore.list", { event_type: "SEARCH_PERFORMED" })).events[0],
    );
    expect(data).toMatchObject({ query: "carburetor", filters: { equipment: "GT-2254" } });
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).toMatchObject({
      fitment: [
        { equipment: "GT-2254", schema: "Figure 6: Engine", quantity: 2, pdf_link: expect.stringContaining(`${GT}/`) },
      ],
    });
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).not.toHaveProperty("missing");
    // Another vendor's part, and one that the manual only says is replaced.
    for (const id of ["bns-300", "bns-200"])
      expect(await call(test.broker, "search.aiPart", { id })).toMatchObject({ fitment: [] });
  });

  it("is refused if only some of the parts could be read, and a word of the text is no such search", async () => {
    const parts = Array.from({ length: 10_001 }, (_, at) => part(`${100 + at}`, 6, { figure: "6", quantity: 1 }));
    const equipment = ["GT-2254", "GT-2260"];
    await start(undefined, { ...BOLTS, manual: { ...BOLTS.manual, equipment }, parts });
    await expect(ids({ q: "carburetor", equipment: "GT" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("'equipment'"),
    });
    expect(await ids({ q: "carburetor", equipment: "GT-2254" })).toHaveLength(3);
    expect(await ids({ q: "carburetor GT" })).toHaveLength(3);
  });

  it("is refused where nobody knows them, and a part says that what it fits is missing", async () => {
    await start(withoutFitment);
    await expect(ids({ q: "carburetor", equipment: "GT-2254" })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await ids({ q: "carburetor" })).toHaveLength(3);
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).toMatchObject({
      fitment: [],
      missing: ["fitment"],
    });
  });
});
