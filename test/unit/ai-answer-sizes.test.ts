import { expect, test } from "@jest/globals";
import { createFitmentAnswers } from "../../services/ai/fitment/answers.ts";
import type { FitmentReader, FitmentRow, SupersessionRow } from "../../mixins/fitment-index/reader.ts";
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
  byModel: async (_: string, { limit = rows.length } = {}) => ({
    models: [{ equipment: "GT-2254" }],
    rows: rows.slice(0, limit),
    total: rows.length,
  }),
  byPart: async () => ({ rows, isCut: true, replacedBy: notes, replaces: notes }),
} as Partial<FitmentReader> as FitmentReader;
const answers = createFitmentAnswers({
  reader,
  links: createManualLinks("http://127.0.0.1:8000"),
  productIds: async (parts) => parts.map(() => undefined),
});

test.each([
  ["a page of an equipment's parts", () => answers.equipment({ model: "GT-2254", page: 1, pageSize: 100 })],
  [
    "where a part is used, which replaces thousands",
    () => answers.equipment({ part: numbers[0]!, page: 1, pageSize: 100 }),
  ],
])("however much manuals say, it fits a message: %s", async (_, ask) => {
  const bytes = Buffer.byteLength(JSON.stringify(await ask()));
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(bytes).toBeGreaterThan(10_000);
});

test("a list of where a part is used says whether it is all of it", async () => {
  const of = (isCut: boolean) =>
    createFitmentAnswers({
      reader: {
        byPart: async () => ({ rows: rows.slice(0, 3), isCut, replacedBy: [], replaces: [] }),
      } as Partial<FitmentReader> as FitmentReader,
      links: createManualLinks("http://x"),
      productIds: async (parts) => parts.map(() => undefined),
    });
  expect(await of(true).equipment({ part: numbers[0]!, page: 1, pageSize: 2 })).toMatchObject({
    complete: false,
    pagination: { total: 3 },
  });
  expect(await of(false).equipment({ part: numbers[0]!, page: 1, pageSize: 2 })).toMatchObject({ complete: true });
});
