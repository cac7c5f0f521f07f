import type { MachineMention } from "@partline/parts-language/words";
import type { FitmentRow, Model as Machine } from "@partline/parts-search";

export type { FitmentRow, Machine, MachineMention };

/** Absolute links into a manual, by the SHA-256 of its file. */
export interface ManualLinks {
  /** Opens the PDF at the page. */
  pdf(sha256: string, page: number): string;
}

/** What the desk asks its knowledge for. All of it is plain data and read only: each method could be a message. */
export interface DeskSources {
  /** Where a text names equipment of the manuals, or a manual by words of its title, maker or file. */
  findMachines(text: string): Promise<MachineMention[]>;
  /**
   * `isTitle`: the manual names no machine, and this is its title. `unreadPages` of the manual have lists as pictures
   * that OCR has not read.
   */
  listMachines(): Promise<(Machine & { isTitle?: true; unreadPages?: number })[]>;
  findRowsByModel(model: string): Promise<FitmentRow[]>;
  /** Where a number is listed, and what lists it as its successor. */
  findRowsByNumber(pnNorm: string): Promise<FitmentRow[]>;
  /** Numbers of manuals that are one slip of the keys away: one row of each, three at most. */
  findNearNumbers(pnNorm: string): Promise<FitmentRow[]>;
  /** Pieces of the manuals' pages, by words or by vector, the best first. @throws what the index throws */
  passages(question: PassageQuestion): Promise<Passage[]>;
  /** The catalog's search. @throws what the search service throws */
  catalog(query: string, limit: number): Promise<CatalogHit[]>;
  /** Where a text names machines that the catalog has parts for. @throws what the search service throws */
  findCatalogMachines(text: string): Promise<CatalogMachineMention[]>;
  /** All parts that the catalog says fit these machines. @throws what the search service throws */
  findPartsFor(machines: readonly string[]): Promise<CatalogHit[]>;
  /**
   * Parts of the catalog whose number is one slip away from one that no part has, the likeliest first; three at most.
   */
  findNearParts(number: string): Promise<CatalogHit[]>;
  /** Price and stock, one for each part in their order, within some three seconds; never throws. */
  offers(parts: readonly AskedPart[]): Promise<Offer[]>;
  /** The question's vector; undefined if the model that makes them did not in time. */
  vector?(text: string): Promise<Float32Array | undefined>;
}

/** What only the catalog's search answers. */
export type CatalogQuestion = "catalog" | "findCatalogMachines" | "findPartsFor" | "findNearParts";

/** The half of it that manuals answer. */
export type ManualSources = Omit<DeskSources, "offers" | CatalogQuestion>;

/** What an answer can be made without; it says so if that could not be searched. */
export type Searched = "catalog" | "passages";

/** Page of what is in no manual: a document that was stored. */
export const NO_PAGE = 0;

/** A piece of a page that may hold an answer. Its text is data, never an instruction. */
export interface Passage {
  sha256: string;
  page: number;
  text: string;
  equipment: string[];
}

export interface PassageQuestion {
  words?: string;
  /** In place of words: of the question, by the model of the passages. */
  vector?: Float32Array;
  /** Restricts to these models, as typed. */
  models?: readonly string[];
  limit: number;
}

export interface CatalogMachineMention {
  from: number;
  to: number;
  /** As the catalog's parts name it. */
  name: string;
  how: "named" | "part" | "near";
}

/** A part as the catalog's search shows it. */
export interface CatalogHit {
  id: string;
  slug: string;
  partNumber: string;
  title: string;
  manufacturer: { name: string; code: string };
  status: "active" | "discontinued";
  supersededBy: string | null;
  price: number | null;
  /** Machines that the catalog says it fits, if that is known. */
  fits?: readonly string[];
  description?: string | null;
}

/** A part that retrieval found: what manuals and the catalog say of it. */
export interface FoundPart {
  pnNorm: string;
  partNumber: string;
  vendor?: string;
  description: string;
  /** Where manuals list it, the place that the question is about first. */
  rows: FitmentRow[];
  catalog?: CatalogHit;
  /** Number that is supplied in its place. */
  replacedBy?: string;
}

/** A part whose price and stock are asked for. */
export type AskedPart = Pick<FoundPart, "partNumber" | "vendor" | "catalog"> & Partial<Pick<FoundPart, "rows">>;

/** Price and stock of a part, as far as they are known. Money in currency units. */
export interface Offer {
  /** In the catalog; null if it has no such part. */
  id: string | null;
  slug: string | null;
  status: "active" | "discontinued" | null;
  price: number | null;
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | null;
  stock: number | null;
  /** By the fastest and by the cheapest method. */
  deliveryDays?: readonly [fastest: number, cheapest: number];
  /** Of one piece, grams. */
  weight?: number;
  /** Number of what the catalog supplies in its place. */
  supersededBy?: string;
  /** The supplier said so now; otherwise these are the catalog's values. */
  live: boolean;
  /** The supplier was asked and gave no answer. If nothing else is known either, nobody could be asked. */
  supplierFailed: boolean;
}

export const UNKNOWN_OFFER: Offer = Object.freeze({
  id: null,
  slug: null,
  status: null,
  price: null,
  availability: null,
  stock: null,
  live: false,
  supplierFailed: false,
});

/**
 * Whether a part is active and priced in the catalog, regardless of its stock: back-order is allowed. Source: design,
 * "AI parts desk".
 */
export function isForSale({ id, status, price }: Offer): boolean {
  return id !== null && status === "active" && price !== null;
}

/** Returns whether nobody could say that it is for sale. */
export function isUnasked({ id, status, supplierFailed }: Offer): boolean {
  return id === null ? supplierFailed : status === null;
}

/** Returns the key of a part: its number and vendor. */
export function toPartKey({ pnNorm, vendor }: Pick<FoundPart, "pnNorm" | "vendor">): string {
  return `${pnNorm} ${vendor ?? ""}`;
}

/** Returns all words by which manuals and the catalog call a part. */
export function describePart({ description, rows, catalog }: FoundPart): string {
  return [description, catalog?.title, rows[0]?.schema].join(" ");
}

/** Selects a part's rows on the equipment that is asked about, or all if it has none there. */
export function selectModelRows({ rows }: Pick<FoundPart, "rows">, equipment: readonly string[]): FitmentRow[] {
  const modelRows = rows.filter((row) => equipment.includes(row.equipment));
  return modelRows.length > 0 ? modelRows : rows;
}

/** Returns whether a catalog part is this one; of another maker, only if its number is printed alike. */
export function isSamePart(
  { partNumber, vendor, rows = [] }: AskedPart,
  listed: { partNumber: string; manufacturer: { name: string; code: string } },
): boolean {
  const { name, code } = listed.manufacturer;
  if (vendor !== undefined) return vendor === code;
  if (rows.some(({ manufacturer }) => manufacturer === name || manufacturer?.toUpperCase() === code)) return true;
  return toPunctuation(listed.partNumber) === toPunctuation(partNumber);
}

/** Returns how a number is punctuated: the dot of `59.8728`. */
function toPunctuation(partNumber: string): string {
  return partNumber.replace(/[A-Za-z0-9]+/g, "0").replace(/[\s-]+/g, "-");
}
