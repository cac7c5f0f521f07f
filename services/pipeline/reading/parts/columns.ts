import { familyOf } from "./families.ts";

export type Role = "partNumber" | "quantity" | "description" | "reference" | "replacement" | "other";

/** Columns of one list; a table that is printed in two halves side by side has two. */
export interface Columns {
  partNumber: number;
  reference?: number;
  description?: number;
  quantity?: number;
  /** Names the number that takes this one's place. */
  replacement?: number;
  /** Any other that may hold notes. */
  notes: number[];
  /** A header says so, and not the content alone. */
  isHeaded: boolean;
}

const NUMBER = String.raw`(?:n[o0]s?|nbrs?|num(?:ber)?s?|n[°º]s?|nr|#|код)`;

/** In order: the first that fits a header decides. In English, and in German, French, Spanish and Italian as far as makers print them side by side. */
const HEADERS: readonly (readonly [Role, RegExp])[] = [
  ["replacement", /\b(?:replaced by|replacements?|superseded by|supersession|supersedes? to|new (?:part|p\/n|pn|number|no)|substitutes?|current (?:part|number)|use part|now)\b/],
  ["other", /\b(?:serial|s\/n|vin|torque|thread|price|msrp|date|phone|tel|fax|page|capacity|weight|pressure|model no|model number|engine model|zip|postal|spec|standard|dimensions?|size|interval|hours|drawing|supersedes|replaces)\b/],
  ["quantity", /^(?:(?:total|order|unit|std) )?(?:qty|qnty|quan|quantity|quantities|q'?ty|qte|quantite|cant|cantidad|q\.?ta|menge|anzahl|stuck|stk|pcs|pieces|count|no used|used|units?|amount|amt|am't)(?: (?:per|req'?d?|required|used|used|no|unit|assy|assembly|engine|machine|set|each|ea).*)?$|\b(?:req'?d|required|per unit|per (?:assy|assembly|machine|engine))\b|^no (?:req|off)\b|^(?:reqd|req)$/],
  ["reference", new RegExp(String.raw`^(?:ref|reference|key|index|item|ill(?:us)?|illustration|pos(?:ition)?|callout|call out|balloon|bubble|fig(?:ure)?|fig & (?:item|index)|fig item|rep(?:ere)?|bild|id|symbol|map|diagram|dia|ln|line)(?: (?:${NUMBER}|item|letter|key))*$`)],
  ["partNumber", new RegExp(String.raw`^(?:(?:(?:spare|service|replacement|oem|mfg|manufacturer|genuine|repair|old|your|our|kit|vendor|supplier|stock|order(?:ing)?|catalog(?:ue)?|assy|assembly|material|product|original|complete|us|usa) )*(?:parts?|pt|pc|kit|stock|order(?:ing)?|catalog(?:ue)?|assy|assembly|material|product|article|art|oem|sku|teile|bestell|artikel|ersatzteil|piece|pieza|parte|codice|code|item)(?: |-)?${NUMBER}(?: .*)?|p\/?n|p\/?ns|pn ${NUMBER}|mpn|sku|part|parts|teilenummer|bestellnummer|artikelnummer|ersatzteilnummer|sachnummer|${NUMBER} (?:de|di) (?:piece|pieza|parte|ref.*)|numero (?:de|di) (?:piece|pieza|parte)|referencia|code|codice|kit|part (?:no|number) .*)$`)],
  ["description", /^(?:(?:part|parts|item) )?(?:descriptions?|desc|descrip|name|names|part name|designation|denomination|nomenclature|bezeichnung|benennung|beschreibung|descripcion|descrizione|denominazione|denominacion|title|component|part)(?: .*)?$/],
];

/** What a header says of its column; undefined where it says nothing that is known. */
export function roleOf(header: string): Role | undefined {
  const words = header.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}#&/°'’-]+/gu, " ").replace(/’/g, "'").trim();
  if (words === "" || words.length > 40) return undefined;
  if (new RegExp(`^${NUMBER}$`).test(words)) return "reference";
  return HEADERS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Which columns a table has by its headers; none when no header names a part number. */
export function columnsByHeader(headers: readonly string[], body: readonly (readonly string[])[]): Columns[] {
  const roles = headers.map(roleOf);
  // "Item No." is a part number's header where no other is, and its column holds what looks like them.
  if (!roles.includes("partNumber")) {
    const column = roles.findIndex((role, index) => role === "reference" && shareOf(columnOf(body, index), looksLikeNumber) >= 0.6);
    if (column < 0) return [];
    roles[column] = "partNumber";
  }
  const groups: { roles: Map<Role, number>; notes: number[] }[] = [];
  for (const [column, role] of roles.entries()) {
    let group = groups.at(-1);
    // Another quantity is that of another model; what else comes again begins the list's next half.
    if (!group || (role !== undefined && role !== "other" && role !== "quantity" && group.roles.has(role) && begins(roles, column))) groups.push((group = { roles: new Map(), notes: [] }));
    if (role !== undefined && role !== "other" && !group.roles.has(role)) group.roles.set(role, column);
    else group.notes.push(column);
  }
  return groups.flatMap(({ roles: known, notes }): Columns[] => {
    const partNumber = known.get("partNumber");
    if (partNumber === undefined) return [];
    return [{ ...Object.fromEntries(known), partNumber, notes, isHeaded: true }];
  });
}

/** Whether a part number's header is still to come, at or after a column. */
function begins(roles: readonly (Role | undefined)[], column: number): boolean {
  return roles.slice(column).includes("partNumber");
}

/** Which columns a table without headers has, by what stands in them. */
export function columnsByContent(body: readonly (readonly string[])[]): Columns | undefined {
  const width = Math.max(0, ...body.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => columnOf(body, column));
  const best = columns
    .map((cells, column) => ({ column, count: cells.length, families: shareOf(cells, (cell) => familyOf(cell) !== undefined), numbers: shareOf(cells, looksLikeNumber) }))
    .filter(({ count, families, numbers }) => count >= 2 && (families >= 0.6 || numbers >= 0.9))
    .sort((a, b) => b.families - a.families || b.numbers - a.numbers)[0];
  if (!best) return undefined;
  const others = columns.map((cells, column) => ({ cells, column })).filter(({ column, cells }) => column !== best.column && cells.length > 0);
  const description = others
    .map(({ cells, column }) => ({ column, share: shareOf(cells, isWords), length: cells.reduce((sum, { length }) => sum + length, 0) / cells.length }))
    .filter(({ share }) => share >= 0.6).sort((a, b) => b.length - a.length)[0]?.column;
  if (description === undefined) return undefined;
  const small = others.filter(({ column, cells }) => column !== description && shareOf(cells, isSmall) >= 0.6);
  const before = small.filter(({ column }) => column < Math.max(best.column, 1));
  const isCounted = (cells: readonly string[]): boolean => new Set(cells).size >= 0.7 * cells.length && cells.length > 1;
  const reference = before.find(({ cells }) => isCounted(cells)) ?? (best.column > 0 ? before[0] : undefined);
  const quantity = small.find((each) => each !== reference);
  const isKnown = best.families >= 0.6;
  // Numbers of no known family beside words alone may be anything.
  if (!isKnown && !reference && !quantity) return undefined;
  return {
    partNumber: best.column, description, ...(reference && { reference: reference.column }), ...(quantity && { quantity: quantity.column }),
    notes: others.map(({ column }) => column).filter((column) => column !== description && column !== reference?.column && column !== quantity?.column),
    isHeaded: false,
  };
}

export function columnOf(body: readonly (readonly string[])[], column: number): string[] {
  return body.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "");
}

function shareOf(cells: readonly string[], holds: (cell: string) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length;
}

const looksLikeNumber = (cell: string): boolean => /^[0-9A-Z][0-9A-Z .-]*$/i.test(cell) && cell.replace(/\D/g, "").length >= 4 && cell.length <= 20 && !/[a-z]{2}/.test(cell);
const isWords = (cell: string): boolean => (cell.match(/\p{L}/gu)?.length ?? 0) >= Math.max(3, cell.length * 0.4);
const isSmall = (cell: string): boolean => /^(?:\d{1,3}[A-Z]?|a\/?r|as req.*|-)$/i.test(cell);
