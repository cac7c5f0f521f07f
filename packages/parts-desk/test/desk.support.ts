import { normalizePartNumber } from "../../parts-language/src/part-number.ts";
import { computeEditDistance } from "../../parts-search/src/search-index/edit-distance.ts";
import { isNearNumber } from "../../parts-search/src/search-index/near-numbers.ts";
import {
  UNKNOWN_OFFER,
  type CatalogHit,
  type DeskSources,
  type FitmentRow,
  type Machine,
  type Offer,
  type Passage,
} from "../src/port.ts";
import { Models } from "../../parts-search/src/fitment-index/models.ts";
import { createManualLinks } from "../../../services/shared/manual-links.ts";

/** A small shop: two machines, their manuals, and a catalog. */

const SHA = "a".repeat(64);
const OTHER = "b".repeat(64);

export const MODELS: Machine[] = [
  { equipment: "GT-2254", manufacturer: "Briggs & Stratton" },
  { equipment: "ZT 3000", manufacturer: "Briggs & Stratton" },
];

const row = (
  partNumber: string,
  description: string,
  given: Partial<FitmentRow> & Pick<FitmentRow, "page" | "schema">,
): FitmentRow => ({
  partNumber,
  pnNorm: normalizePartNumber(partNumber),
  description,
  equipment: "GT-2254",
  manufacturer: "Briggs & Stratton",
  sha256: SHA,
  confidence: 0.95,
  ...given,
});

export const ROWS: FitmentRow[] = [
  row("15964-8141", "Carburetor", { page: 3, schema: "Figure 1: Carburetor", quantity: 1, reference: "1" }),
  row("795123", "Carburetor Gasket", { page: 3, schema: "Figure 1: Carburetor", quantity: 1 }),
  row("16100-Z0Y-813", "Carburetor Repair Kit", { page: 3, schema: "Figure 1: Carburetor", quantity: 1 }),
  row("614071", "Blade Bolt 3/8-16 x 1-1/4", { page: 7, schema: "Figure 3: Mower Deck", quantity: 4, reference: "2" }),
  row("312-065D", "Mower Blade", { page: 7, schema: "Figure 3: Mower Deck", quantity: 2 }),
  row("10.A123", "Deck Belt", { page: 7, schema: "Figure 3: Mower Deck", quantity: 1, replacedBy: "10.A124" }),
  row("54 021 15-S", "Air Filter", { page: 9, schema: "Figure 4: Air Cleaner", quantity: 1, vendor: "KOH" }),
  row("G1234", "Air Cleaner Cover", { page: 9, schema: "Figure 4: Air Cleaner" }),
  row("11013-7047", "Idler Pulley", {
    page: 5,
    schema: "Figure 2: Belt Drive",
    quantity: 2,
    equipment: "ZT 3000",
    sha256: OTHER,
  }),
  row("15964-8141", "Carburetor", {
    page: 4,
    schema: "Figure 1: Carburetor",
    quantity: 1,
    equipment: "ZT 3000",
    sha256: OTHER,
  }),
];

/** A part of an engine that no other suite of the desk has. */
export const engineRow = (
  equipment: "GT-2254" | "ZT 3000",
  partNumber: string,
  description: string,
  given: Partial<FitmentRow> = {},
): FitmentRow => ({
  partNumber,
  pnNorm: normalizePartNumber(partNumber),
  description,
  schema: "Figure 5: Engine",
  quantity: 1,
  page: 11,
  equipment,
  manufacturer: "Briggs & Stratton",
  sha256: (equipment === "GT-2254" ? "a" : "b").repeat(64),
  confidence: 0.95,
  ...given,
});
/** The usual rows, with parts of the engines of both machines. */
export const ENGINES: FitmentRow[] = [
  ...ROWS,
  engineRow("GT-2254", "21.5500", "Plug, Spark"),
  engineRow("GT-2254", "21.5501", "Filter, Oil"),
  engineRow("GT-2254", "21.5502", "Filter, Fuel"),
  engineRow("GT-2254", "21.5503", "Dipstick"),
  engineRow("ZT 3000", "31.7700", "Plug, Spark, Long", { page: 6 }),
  engineRow("ZT 3000", "31.7701", "Filter, Oil", { page: 6 }),
  engineRow("GT-2254", "21.6601", "Clamp, Hose", { quantity: 4, page: 12, schema: "Figure 6: Fuel Tank" }),
  engineRow("GT-2254", "21.6602", "Clamp, 1/2 in", { quantity: 3, page: 12, schema: "Figure 6: Fuel Tank" }),
  engineRow("GT-2254", "21.6601", "Clamp, Hose", { quantity: 2, page: 13, schema: "Figure 7: Cooling" }),
];

const hit = (partNumber: string, title: string, code: string, given: Partial<CatalogHit> = {}): CatalogHit => ({
  id: `${code}-${normalizePartNumber(partNumber)}`.toLowerCase(),
  slug: `s-${normalizePartNumber(partNumber).toLowerCase()}`,
  partNumber,
  title,
  manufacturer: { name: code, code },
  status: "active",
  supersededBy: null,
  price: null,
  ...given,
});

export const CATALOG: (CatalogHit & { stock: number | null; weight?: number })[] = [
  { ...hit("15964-8141", "Carburetor, Assembly, FS730V", "KAW"), price: 55, stock: 12, weight: 800 },
  { ...hit("614071", "Blade Bolt", "BNS"), price: 3.25, stock: 0 },
  { ...hit("54 021 15-S", "Air Filter", "KOH"), price: 18.4, stock: 3, weight: 1_500 },
  { ...hit("10.A124", "Deck Belt", "BNS"), price: 41.99, stock: 7 },
  {
    ...hit("99-5555", "Chain, Old Style", "KAW", { status: "discontinued", supersededBy: "99-6666" }),
    price: 9,
    stock: 0,
  },
  { ...hit("99-6666", "Chain", "KAW"), price: 12, stock: null },
];

export interface FakeShop {
  /** Of each manual, with lists as pictures that were not read. */
  unreadPages?: number;
  rows?: readonly FitmentRow[];
  passages?: readonly Passage[];
  supplierFailed?: boolean;
  /** Maximum number of rows of one number, over all equipment: no limit unless given. */
  mostOfANumber?: number;
}

/** A shop whose manual says which oil, and that has parts called by it. */
export const OIL_SHOP = {
  rows: [
    ...ROWS,
    engineRow("GT-2254", "21.5501", "Filter, Oil"),
    engineRow("GT-2254", "21.9900", "Switch, Oil Pressure"),
    engineRow("GT-2254", "63.0739", "Screw, M6 x 1.0 x 16"),
  ],
  passages: [
    {
      sha256: "a".repeat(64),
      page: 2,
      text: "Engine oil: use SAE 30 above 40 F.\nTighten the blade bolts to 60 ft-lb.",
      equipment: ["GT-2254"],
    },
  ],
} satisfies FakeShop;

/** Options of a desk that remembers no conversation. */
export const FORGETFUL_DESK = {
  conversations: { keep: async () => undefined, get: async () => undefined },
  links: createManualLinks("http://x"),
  storeUrl: "http://store",
  deadlineMs: 75_000,
  whenLate: () => new Error("late"),
};

/** Sources over these lists. Words are found in titles by any of theirs, as a search does. */
export function shopSources({
  rows = ROWS,
  passages = [],
  supplierFailed = false,
  mostOfANumber = Infinity,
  unreadPages,
}: FakeShop = {}): DeskSources {
  const models = new Models(MODELS);
  const priced = (partNumber: string) =>
    CATALOG.find((part) => normalizePartNumber(part.partNumber) === normalizePartNumber(partNumber));
  return {
    findMachines: async (text) => models.findMentions(text),
    listMachines: async () => MODELS.map((model) => ({ ...model, unreadPages })),
    findRowsByModel: async (model) => rows.filter(({ equipment }) => equipment === model),
    findRowsByNumber: async (pnNorm) =>
      rows
        .filter(
          (candidate) => candidate.pnNorm === pnNorm || normalizePartNumber(candidate.replacedBy ?? "") === pnNorm,
        )
        .slice(0, mostOfANumber),
    findNearNumbers: async (pnNorm) =>
      rows.filter((candidate) => computeEditDistance(candidate.pnNorm, pnNorm) === 1).slice(0, 3),
    findCatalogMachines: async () => [],
    findPartsFor: async () => [],
    findNearParts: async (number) =>
      CATALOG.filter(({ partNumber }) => isNearNumber(number, normalizePartNumber(partNumber))),
    passages: async ({ words = "" }) =>
      passages.filter(({ text }) => words.split(" ").some((word) => word !== "" && text.toLowerCase().includes(word))),
    catalog: async (query, limit) => {
      const key = normalizePartNumber(query);
      const words = query
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 2);
      return CATALOG.filter(
        ({ partNumber, title, manufacturer }) =>
          [normalizePartNumber(partNumber), manufacturer.code + normalizePartNumber(partNumber)].includes(key) ||
          words.some((word) => title.toLowerCase().includes(word)),
      ).slice(0, limit);
    },
    offers: async (parts) =>
      parts.map(({ partNumber }): Offer => {
        const part = priced(partNumber);
        if (!part) return UNKNOWN_OFFER;
        const { id, slug, status, price, stock, weight, supersededBy } = part;
        return {
          id,
          slug,
          status,
          price,
          stock,
          weight,
          deliveryDays: [2, 5],
          supersededBy: supersededBy ?? undefined,
          availability: stock === null ? "unknown" : stock > 5 ? "in_stock" : stock > 0 ? "low_stock" : "out_of_stock",
          live: !supplierFailed,
          supplierFailed,
        };
      }),
  };
}
