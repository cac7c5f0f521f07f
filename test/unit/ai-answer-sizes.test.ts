import { expect, test } from "@jest/globals";
import { createFitmentAnswers } from "../../services/ai/fitment/answers.ts";
import type {
  FitmentReader,
  FitmentRow,
  SupersessionRow,
} from "../../packages/parts-search/src/fitment-index/reader.ts";
import type { FigureReader, LinkedCallout } from "../../packages/parts-search/src/fitment-index/figure-reader.ts";
import { NOT_KNOWN } from "../../services/ai/fitment/catalog-facts.ts";
import { createManualLinks } from "../../services/shared/manual-links.ts";

/** Of a message of NATS. */
const MOST_BYTES = 1024 * 1024;
const sha256 = "a".repeat(64);
const numbers = Array.from({ length: 20_000 }, (_, at) => `${at}`.padStart(32, "9"));
const rows = numbers.map((pnNorm): FitmentRow => ({
  pnNorm,
  partNumber: pnNorm,
  vendor: "KAW",
  equipment: "GT-2254",
  sha256,
  page: 1,
  schema: "Figure 1: Engine",
  confidence: 1,
  description: "x".repeat(500),
}));
const notes = numbers.map((partNumber): SupersessionRow => ({ partNumber, sha256, page: 1 }));
const reader = {
  readByModel: async (_: string, { limit = rows.length } = {}) => ({
    models: [{ equipment: "GT-2254" }],
    rows: rows.slice(0, limit),
    total: rows.length,
  }),
  readByPart: async () => ({ rows, isCut: true, replacedBy: notes, replaces: notes }),
  findDiagramsByModel: async (equipment: string, limit: number) =>
    Array.from({ length: limit }, (_, at) => ({
      key: `${at}`,
      schema: "x".repeat(120),
      page: at + 1,
      equipment,
      sha256,
    })),
} as Partial<FitmentReader> as FitmentReader;
/** As many callouts of each as are kept, each with its part. */
const drawn = (figures: readonly string[]): LinkedCallout[] =>
  figures.flatMap((figure) =>
    Array.from({ length: 300 }, (_, at) => ({
      ref: `${at}`,
      box: { x: 0.1234, y: 0.1234, width: 0.1234, height: 0.1234 },
      page: Number(figure) + 1,
      figure,
      rows: [{ ...rows[at]!, _id: `${at}`, reading: 1, position: at }],
    })),
  );
const answers = createFitmentAnswers({
  reader,
  links: createManualLinks("http://127.0.0.1:8000"),
  figures: { callouts: async (_, figures) => drawn(figures) } as Partial<FigureReader> as FigureReader,
  askCatalog: async () => () => NOT_KNOWN,
  askShop: async () => undefined,
});

test.each([
  ["a page of an equipment's parts", () => answers.equipment({ params: { model: "GT-2254", page: 1, pageSize: 100 } })],
  [
    "where a part is used, which replaces thousands",
    () => answers.equipment({ params: { part: numbers[0]!, page: 1, pageSize: 100 } }),
  ],
  ["the diagrams of an equipment", () => answers.diagrams({ params: { model: "GT-2254" } })],
])("however much manuals say, it fits a message: %s", async (_, ask) => {
  const bytes = Buffer.byteLength(JSON.stringify(await ask()));
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(bytes).toBeGreaterThan(10_000);
});

test("a list of where a part is used says whether it is all of it", async () => {
  const of = (isCut: boolean) =>
    createFitmentAnswers({
      reader: {
        readByPart: async () => ({ rows: rows.slice(0, 3), isCut, replacedBy: [], replaces: [] }),
      } as Partial<FitmentReader> as FitmentReader,
      links: createManualLinks("http://x"),
      figures: {} as FigureReader,
      askCatalog: async () => () => NOT_KNOWN,
      askShop: async () => undefined,
    });
  expect(await of(true).equipment({ params: { part: numbers[0]!, page: 1, pageSize: 2 } })).toMatchObject({
    complete: false,
    pagination: { total: 3 },
  });
  expect(await of(false).equipment({ params: { part: numbers[0]!, page: 1, pageSize: 2 } })).toMatchObject({
    complete: true,
  });
});

test("diagrams behind those that fill an answer have no callouts in it, which is not none", async () => {
  const { diagrams } = await answers.diagrams({ params: { model: "GT-2254" } });
  expect(diagrams.slice(0, 3).map(({ callouts }) => callouts?.length ?? null)).toEqual([300, 300, null]);
  expect(diagrams.at(-1)!.callouts).toBeNull();
});
