import type { SearchQuery } from "../src/search-index/port.ts";
import type { SearchPage } from "../src/search-index/search-page.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";

/** What the indexes under test hold, and how they are asked. */

export type Vendor = "BNS" | "HON" | "KMT";

const NAMES: Record<Vendor, readonly [string, ...string[]]> = {
  BNS: ["Briggs & Stratton", "B&S"],
  HON: ["Honda"],
  KMT: ["K&M Tire", "K&M"],
};

export function part(
  vendor: Vendor,
  partNumber: string,
  title: string,
  more: Partial<IndexDocument> = {},
): IndexDocument {
  const pnNorm = partNumber.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const [name, ...aliases] = NAMES[vendor];
  const id = `${vendor}-${pnNorm}`.toLowerCase();
  const sku = `CT-${vendor}-${partNumber}`;
  return {
    id,
    slug: id,
    sku,
    skuVariants: [partNumber, pnNorm, sku],
    partNumber,
    pnNorm,
    title,
    manufacturer: { name, code: vendor },
    vendorName: name,
    vendorAliases: aliases,
    category: "parts",
    price: 1_000,
    imageUrl: null,
    status: "active",
    sources: ["price_file"],
    availability: "unknown",
    createdAt: new Date("2026-01-01"),
    updatedAt: new Date("2026-01-02"),
    isTire: vendor === "KMT",
    ...more,
  };
}

export const PARTS: readonly IndexDocument[] = [
  part("BNS", "799868", "Carburetor with Gasket", {
    category: "Carburetors",
    price: 4_599,
    availability: "in_stock",
    createdAt: new Date("2026-03-01"),
  }),
  part("BNS", "7998681", "Carburetor Bowl", { category: "Carburetors", price: 899, availability: "out_of_stock" }),
  part("BNS", "498298", "Carburetor, old style", {
    category: "carburetors",
    status: "discontinued",
    supersededBy: "69-2784",
  }),
  part("BNS", "692784", "Carburetor, replaces 498298", {
    category: "Carburetors",
    status: "discontinued",
    supersededBy: "799866",
  }),
  part("BNS", "799866", "Carburetor Assembly", { category: "Carburetors", price: null }),
  part("BNS", "590454", "Mower Blade, High Lift", {
    category: "Blades",
    price: 2_500,
    skuVariants: ["590454", "590-454-X1"],
  }),
  part("HON", "16100-Z0Y-813", "Carburetor Assembly", {
    category: "Carburetors",
    price: 7_800,
    description: "Fits GX120",
  }),
  part("HON", "799868", "Air Filter", { category: "Air Filters", price: 999 }),
  part("HON", "98079-56846", "Spark Plug <BPR6ES>", {
    category: "Ignition",
    price: 300,
    createdAt: new Date("2026-02-01"),
  }),
  part("KMT", "TL12345", "Turf Tire 23x8.50-12", {
    category: "Wheels & Tires",
    kind: "Tires",
    manufacturer: { name: "Carlisle", code: "KMT" },
    attributes: { tireSize: "23x8.50-12", tireRim: "12", tirePattern: "Turf" },
    price: 9_900,
    availability: "in_stock",
  }),
  part("KMT", "TL54321", "Wheel 8 inch", { category: "Wheels & Tires", kind: "Wheels", price: 5_000 }),
];

export const SYNONYMS: readonly string[] = [
  "carburetor, carb, carburettor",
  "spark plug, sparkplug",
  "air filter, air cleaner",
];

export const query = (q: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  q,
  categories: [],
  manufacturers: [],
  status: "active",
  sort: "relevance",
  offset: 0,
  limit: 20,
  ...more,
});

export const ids = ({ hits }: Pick<SearchPage, "hits">): string[] => hits.map(({ document }) => document.id);
