import { Readable } from "node:stream";
import { PartlineError } from "../../mixins/errors.ts";
import { openObjectStore, type ObjectStoreOptions } from "../../packages/durable/src/object-store/open.ts";
import type { ManualSource } from "../../services/ai/manual-source.ts";
import { getFindingsPrefix, getManualKey, getPartsPieceKey } from "../../services/shared/manual-objects.ts";
import type { ManualFile, ManualPage, ManualPart } from "../../packages/manual-reader/src/manual.ts";

/** Manuals as the pipeline hands them on, made by hand. */
export interface MadeManual {
  manual: ManualFile;
  parts: ManualPart[];
  pages: ManualPage[];
}

export const GT = "a".repeat(64);
export const RX = "b".repeat(64);

export const boxAt = (place: number) => ({ x: place, y: place, width: 0.02, height: 0.01 });

export function part(partNumber: string, page: number, more: Partial<ManualPart> = {}): ManualPart {
  return { partNumber, pnNorm: partNumber.toUpperCase().replace(/[^A-Z0-9]/g, ""), confidence: 0.9, page, ...more };
}

/** Two models, one of which has a page of its own; a part that was replaced, and a figure that is drawn with lines. */
export const GT_MANUAL: MadeManual = {
  manual: {
    sha256: GT,
    filename: "gt.pdf",
    title: "Parts manual",
    equipment: ["GT-2254", "GT-2260"],
    manufacturer: "Meadow",
    pages: 9,
    figures: [
      { label: "6", title: "Engine", page: 6, images: [2] },
      { label: "7", title: "Mower Deck", page: 8, images: [] },
    ],
  },
  parts: [
    part("15964-8141", 6, { figure: "6", reference: "3", quantity: 1, description: "CARBURETOR", vendor: "KAW" }),
    part("49-065-7005", 6, {
      figure: "6",
      reference: "4",
      quantity: 2,
      description: "OIL FILTER, old",
      replacedBy: "49065-0721",
    }),
    part("92153-1405", 8, { figure: "7", reference: "1", quantity: 4, description: "BLADE BOLT" }),
    // The text of the page names it once more.
    part("92153-1405", 8, { figure: "7", reference: "1", confidence: 0.5 }),
  ],
  pages: [
    {
      page: 6,
      text: "FIGURE 6: ENGINE\nRef  Part No.  Description  Qty\n3  15964-8141  CARBURETOR  1\n4  49-065-7005  OIL FILTER, old  2\nReplaced by 49065-0721.",
      figure: "6",
      models: [],
      callouts: [
        { figure: "6", ref: "3", box: boxAt(0.25) },
        { figure: "6", ref: "4", box: boxAt(0.5) },
        { figure: "6", ref: "9", box: boxAt(0.75) },
      ],
    },
    // The drawing goes on.
    {
      page: 7,
      text: "",
      figure: "6",
      models: [],
      callouts: [{ figure: "6", ref: "03", box: boxAt(0.3) }],
    },
    {
      page: 8,
      text: "FIGURE 7: MOWER DECK, GT-2260\nRef  Part No.  Description  Qty\n1  92153-1405  BLADE BOLT  4",
      figure: "7",
      models: ["gt 2260"],
      serials: [{ from: "A1000", to: "A1999" }],
      callouts: [{ figure: "7", ref: "1", box: boxAt(0.4) }],
    },
  ],
};

export const RX_MANUAL: MadeManual = {
  manual: {
    sha256: RX,
    filename: "rx.pdf",
    title: "RX-48",
    equipment: ["RX-48"],
    manufacturer: "Meadow",
    pages: 3,
    figures: [{ label: "", title: "Filters", page: 2, images: [] }],
  },
  parts: [
    part("49065-0721", 2, { figure: "Filters", quantity: 1, description: "OIL FILTER" }),
    part("15964-8141", 3, { vendor: "BNS" }),
  ],
  pages: [{ page: 2, text: "FILTERS\n49065-0721  OIL FILTER  1", figure: "Filters", models: [] }],
};

export interface MadePipeline extends ManualSource {
  manuals: Map<string, MadeManual>;
  /** Parts that are handed on before it fails; undefined never fails. */
  failsAfter: number | undefined;
  /** Awaited before each page of parts. */
  beforeParts: () => Promise<void>;
  handedOn: number;
}

/** Hands manuals on some parts and pages at a time. */
export function madePipeline(made: readonly MadeManual[], { partsAtOnce = 2 } = {}): MadePipeline {
  const manuals = new Map(made.map((each) => [each.manual.sha256, each]));
  const find = (sha256: string): MadeManual => {
    const found = manuals.get(sha256);
    if (!found) throw new PartlineError("NOT_FOUND", "Manual not found");
    return found;
  };
  const pipeline: MadePipeline = {
    manuals,
    failsAfter: undefined,
    beforeParts: () => Promise.resolve(),
    handedOn: 0,
    getManual: async (sha256) => find(sha256).manual,
    async *readParts({ sha256 }) {
      for (let after = 0; after === 0 || after < find(sha256).parts.length; after += partsAtOnce) {
        await pipeline.beforeParts();
        const { parts } = find(sha256);
        if (pipeline.failsAfter !== undefined && after >= pipeline.failsAfter)
          throw new PartlineError("SERVICE_UNAVAILABLE", "The object store is away");
        const some = parts.slice(after, after + partsAtOnce);
        pipeline.handedOn += some.length;
        yield some;
      }
    },
    async *readPages(sha256) {
      for (const page of find(sha256).pages) yield Promise.resolve([page]);
    },
  };
  return pipeline;
}

/** Puts a manual where the pipeline would; its parts and pages in two pieces each, the pages' eight ranges apart. */
export async function putManual(store: ObjectStoreOptions, { manual, parts, pages }: MadeManual): Promise<void> {
  const objects = await openObjectStore(store);
  const { sha256 } = manual;
  const put = (key: string, value: unknown) => objects.put(key, Readable.from([Buffer.from(JSON.stringify(value))]));
  for (const [piece, some] of [parts.slice(0, 2), parts.slice(2)].entries())
    if (some.length > 0) await put(getPartsPieceKey(sha256, piece), some);
  for (const [index, page] of pages.entries()) await put(`${getFindingsPrefix(sha256)}${index * 8 + 2}.json`, [page]);
  await put(getManualKey(sha256), { ...manual, parts: parts.length });
  objects.close();
}
