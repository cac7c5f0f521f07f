import { memoizeRecent } from "@partline/toolkit";
import { familyOf } from "./families.ts";
import { modelsInHeader, type ModelColumn } from "./model-columns.ts";

type Row = readonly string[];

export type Role = "partNumber" | "quantity" | "description" | "reference" | "replacement" | "other";

/** One list; two lists side by side have two. */
export interface Columns {
  partNumber: number;
  reference?: number;
  description?: number;
  quantity?: number;
  /** Quantity columns of models. */
  models: ModelColumn[];
  /** Has the successor. */
  replacement?: number;
  /** Others, which may have notes. */
  notes: number[];
  /** By a header, not by content. */
  isHeaded: boolean;
}

const NUMBER = String.raw`(?:n[o0]s?|nbrs?|num(?:ber)?s?|n[°º]s?|nr|#|код)`;

/** The first match decides. English, and what makers print in German, French, Spanish and Italian. */
const HEADERS: readonly (readonly [Role, RegExp])[] = [
  [
    "replacement",
    /\b(?:replaced by|ersetzt durch|ersatz durch|reemplazado por|sustituido por|remplace par|sostituito da|neue (?:teile|bestell|artikel) ?-? ?(?:nr|nummer)|replacements?|superseded by|supersession|supersedes? to|new (?:part|p\/n|pn|number|no)|substitutes?|current (?:part|number)|use part|now|superseding)\b/,
  ],
  [
    "other",
    /\b(?:serial|s\/n|vin|torque|thread|price|msrp|date|phone|tel|fax|page|capacity|weight|pressure|model no|model number|engine model|zip|postal|spec|standard|dimensions?|size|interval|hours|drawing|supersedes|replaces)\b/,
  ],
  [
    "quantity",
    /^(?:(?:total|order|unit|std) )?(?:qty|qnty|quan|quantity|quantities|q'?ty|qte|quantite|cant|cantidad|q\.?ta|menge|anzahl|stuck|stk|pcs|pieces|count|no used|used|units?|amount|amt|am't)(?: (?:per|req'?d?|required|used|used|no|unit|assy|assembly|engine|machine|set|each|ea).*)?$|\b(?:req'?d|required|per unit|per (?:assy|assembly|machine|engine))\b|^no (?:req|off)\b|^(?:reqd|req)$/,
  ],
  [
    "reference",
    new RegExp(
      String.raw`^(?:ref|reference|key|index|item|ill(?:us)?|illustration|pos(?:ition)?|callout|call out|balloon|bubble|fig(?:ure)?|fig & (?:item|index)|fig item|rep(?:ere)?|bild|id|symbol|map|diagram|dia|ln|line)(?: (?:${NUMBER}|item|letter|key))*$`,
    ),
  ],
  [
    "partNumber",
    new RegExp(
      String.raw`^(?:(?:(?:spare|service|replacement|oem|mfg|manufacturer|genuine|repair|old|your|our|kit|vendor|supplier|stock|order(?:ing)?|catalog(?:ue)?|assy|assembly|material|product|original|complete|us|usa) )*(?:parts?|pt|pc|kit|stock|order(?:ing)?|catalog(?:ue)?|assy|assembly|material|product|article|art|oem|sku|teile|bestell|artikel|ersatzteil|piece|pieza|parte|codice|code|item)(?: |-)?${NUMBER}(?: .*)?|p\/?n|p\/?ns|pn ${NUMBER}|mpn|sku|part|parts|teilenummer|bestellnummer|artikelnummer|ersatzteilnummer|sachnummer|${NUMBER} (?:de|di) (?:piece|pieza|parte|ref.*)|numero (?:de|di) (?:piece|pieza|parte)|referencia|code|codice|kit|numbers?|(?:old|former|original|previous|obsolete|discontinued) (?:part )?${NUMBER}|part (?:no|number) .*)$`,
    ),
  ],
  [
    "description",
    /^(?:(?:part|parts|item) )?(?:descriptions?|desc|descrip|name|names|part name|designation|denomination|nomenclature|bezeichnung|benennung|beschreibung|descripcion|descrizione|denominazione|denominacion|title|component|part)(?: .*)?$/,
  ],
];

/** Headers that are remembered as read: a manual's tables have the same, and each is weighed many times. */
const MOST_REMEMBERED = 2_000;
const ONLY_NUMBER = new RegExp(`^${NUMBER}$`);

/** Undefined for an unknown header. */
export const roleOf = memoizeRecent(MOST_REMEMBERED, roleOfHeader);

function roleOfHeader(header: string): Role | undefined {
  const words = header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#&/°'’-]+/gu, " ")
    .replace(/’/g, "'")
    .trim();
  if (words === "" || words.length > 40) return undefined;
  if (ONLY_NUMBER.test(words)) return "reference";
  return HEADERS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Rows that may precede headers. */
const LAST_HEADER_ROW = 6;
const MOST_HEADER_ROWS = 3;

interface Header {
  roles: (Role | undefined)[];
  texts: string[];
  models: ModelColumn[];
  /** First row below. */
  end: number;
}

/** Columns and body of a table whose headers name a part number. */
export function columnsByHeader(rows: readonly Row[]): { columns: Columns[]; from: number } | undefined {
  const header = headerOf(rows);
  if (!header) return undefined;
  const body = rows.slice(header.end);
  const groups = groupsOf(header.roles);
  const columns = groups.flatMap(({ roles, first }, index): Columns[] => {
    const end = groups[index + 1]?.first ?? header.roles.length;
    const own = header.models.filter(({ column }) => column >= first && column < end);
    return roles.has("partNumber")
      ? [completed(roles, { first, end }, body, { texts: header.texts, models: own })]
      : [];
  });
  return columns.length > 0 ? { columns, from: header.end } : undefined;
}

/** The rows that name most columns. */
function headerOf(rows: readonly Row[]): Header | undefined {
  let best: { header: Header; score: number } | undefined;
  for (let from = 0; from < Math.min(LAST_HEADER_ROW, rows.length - 1); from++) {
    for (let end = from + 1; end <= Math.min(from + MOST_HEADER_ROWS, rows.length - 1); end++) {
      if (rows[end - 1]!.some((cell) => familyOf(cell) !== undefined && modelsInHeader(cell).length === 0)) break;
      const [headers, body] = [rows.slice(from, end), rows.slice(end)];
      const texts = headers[0]!.map((_, column) => columnOf(headers, column).join(" "));
      const models = modelColumns(texts);
      const roles = rolesOf(texts, body).map((role, column) =>
        models.some((each) => each.column === column) ? undefined : role,
      );
      // A quantity outweighs a single model column.
      const score = roles.includes("partNumber")
        ? 2 * (roles.filter((role) => role !== undefined).length + models.length) - Math.sign(models.length)
        : 0;
      if (score > 0 && score > (best?.score ?? 0)) best = { header: { roles, texts, models, end }, score };
    }
  }
  return best?.header;
}

/** Digits alone are models only if several columns have them. */
function modelColumns(texts: readonly string[]): ModelColumn[] {
  const found = texts
    .map((text, column): ModelColumn => ({ column, models: modelsInHeader(text) }))
    .filter(({ models }) => models.length > 0);
  return found.length > 1 ? found : found.filter(({ models }) => models.some((model) => /[A-Z]/.test(model)));
}

function rolesOf(texts: readonly string[], body: readonly Row[]): Header["roles"] {
  const cells = (column: number): string[] => columnOf(body, column);
  const roles = texts.map((text, column) => {
    const role = roleOf(text);
    return role !== undefined &&
      FITS[role] !== undefined &&
      cells(column).length > 0 &&
      shareOf(cells(column), FITS[role]) < 0.3
      ? undefined
      : role;
  });
  if (roles.includes("partNumber")) return roles;
  // "Item No." heads part numbers if no other header does and its column looks like them.
  return texts.map((text, column) =>
    roleOf(text) === "reference" && shareOf(cells(column), looksLikeNumber) >= 0.5 ? "partNumber" : roles[column],
  );
}

/** A repeated role begins the next list; another quantity does not. */
function groupsOf(roles: Header["roles"]): { roles: Map<Role, number>; first: number }[] {
  const groups: { roles: Map<Role, number>; first: number }[] = [];
  for (const [column, role] of roles.entries()) {
    let group = groups.at(-1);
    const isAgain =
      role !== undefined &&
      role !== "other" &&
      role !== "quantity" &&
      group?.roles.has(role) &&
      roles.slice(column).includes("partNumber");
    if (!group || isAgain) groups.push((group = { roles: new Map(), first: column }));
    if (role !== undefined && role !== "other" && !group.roles.has(role)) group.roles.set(role, column);
  }
  return groups;
}

export function columnsByContent(body: readonly Row[]): Columns[] {
  const width = Math.max(0, ...body.map((row) => row.length));
  const likely = Array.from({ length: width }, (_, column) => ({ column, cells: columnOf(body, column) }))
    .map(({ column, cells }) => ({
      column,
      count: cells.length,
      families: shareOf(cells, (cell) => familyOf(cell) !== undefined),
      numbers: shareOf(cells, looksLikeNumber),
    }))
    .filter(({ count, families, numbers }) => count >= 2 && (families >= 0.6 || numbers >= 0.9))
    .sort((a, b) => b.families - a.families || b.numbers - a.numbers);
  const [best] = likely;
  if (!best) return [];
  const known = likely
    .filter(({ families }) => families >= 0.6)
    .map(({ column }) => column)
    .sort((a, b) => a - b);
  const period = known.length > 1 ? known[1]! - known[0]! : 0;
  const starts = period > 1 ? known.map((_, half) => half * period) : [0];
  return starts.flatMap((first, half): Columns[] => {
    const partNumber = period > 1 ? known[half]! : best.column;
    const list = completed(new Map([["partNumber", partNumber]]), { first, end: starts[half + 1] ?? width }, body);
    const isList = list.description !== undefined && (best.families >= 0.6 || list.reference !== undefined);
    return isList ? [list] : [];
  });
}

/** Fills in columns without header by content. If headers name several counting columns, none is the quantity. */
function completed(
  roles: ReadonlyMap<Role, number>,
  { first, end }: { first: number; end: number },
  body: readonly Row[],
  header?: Pick<Header, "texts" | "models">,
): Columns {
  const partNumber = roles.get("partNumber")!;
  const models = header?.models ?? [];
  const taken = new Set([...roles.values(), ...models.map(({ column }) => column)]);
  const free = Array.from({ length: end - first }, (_, index) => ({
    column: first + index,
    cells: columnOf(body, first + index),
  })).filter(({ column, cells }) => !taken.has(column) && cells.length > 0);
  const lengthOf = (cells: readonly string[]): number =>
    cells.reduce((sum, { length }) => sum + length, 0) / cells.length;
  const description =
    roles.get("description") ??
    free.filter(({ cells }) => shareOf(cells, isWords) >= 0.6).sort((a, b) => lengthOf(b.cells) - lengthOf(a.cells))[0]
      ?.column;
  const small = free.filter(({ column, cells }) => column !== description && shareOf(cells, isSmall) >= 0.6);
  const reference =
    roles.get("reference") ??
    (
      small.find(({ column, cells }) => column < partNumber && isCounted(cells)) ??
      (roles.has("quantity") || small.length > 1 ? small.find(({ cells }) => isCounted(cells)) : undefined)
    )?.column;
  const counting = small.filter(({ column }) => column !== reference);
  const isUnclear =
    models.length > 0 || counting.filter(({ column }) => (header?.texts[column] ?? "") !== "").length > 1;
  const quantity = roles.get("quantity") ?? (isUnclear ? undefined : counting[0]?.column);
  const used = new Set([partNumber, description, reference, quantity, roles.get("replacement")]);
  return {
    partNumber,
    models,
    isHeaded: header !== undefined,
    notes: free.map(({ column }) => column).filter((column) => !used.has(column)),
    reference,
    description,
    quantity,
    ...(roles.has("replacement") && { replacement: roles.get("replacement")! }),
  };
}

export function columnOf(body: readonly Row[], column: number): string[] {
  return body.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "");
}

function shareOf(cells: readonly string[], holds: (cell: string) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length;
}

/** References differ from row to row; quantities repeat. */
function isCounted(cells: readonly string[]): boolean {
  return cells.length > 1 && new Set(cells).size >= 0.7 * cells.length;
}

/** `2 246 496`. */
const THOUSANDS = /^\d{1,3}(?: \d{3})+$/;

const looksLikeNumber = (cell: string): boolean =>
  /^[0-9A-Z][0-9A-Z .-]*$/i.test(cell) &&
  cell.replace(/\D/g, "").length >= (/[A-Z]/.test(cell) ? 3 : 4) &&
  cell.length <= 20 &&
  !/[a-z]{2}/.test(cell) &&
  !THOUSANDS.test(cell);
const isWords = (cell: string): boolean => /\p{L}{3}/u.test(cell) && familyOf(cell) === undefined;
const isSmall = (cell: string): boolean => /^\(?(?:\d{1,3}[A-Z]?(?:[-.]\d{1,2})?|a\/?r|as req.*|-)\)?$/i.test(cell);

/** What a headed column must sometimes hold. */
const FITS: Partial<Record<Role, (cell: string) => boolean>> = {
  quantity: isSmall,
  description: (cell) => /\p{L}{2}/u.test(cell),
  reference: (cell) => isSmall(cell) || /^[A-Z]{1,2}\d{0,3}$/.test(cell),
};
