import { normalizePartNumber } from "@partline/parts-language";
import { MAX_LENGTH } from "./part-checks.ts";
import { quote, readPartNumber, Remark } from "@partline/price-files";
import { parseJson } from "@partline/toolkit";
import { createRemark } from "./remarks.ts";

export interface Component {
  /** Code. */
  vendor: string;
  partNumber: string;
  quantity: number;
}

/** Returns the code of a vendor by code, name or alias: the file's own without a name, undefined for an unknown one. */
export type ComponentVendor = (name: string | undefined) => string | undefined;

const MOST = 200;
const MOST_PIECES = 10_000;
const NOT_COMPONENTS = createRemark("not_components");

/**
 * Reads the components of a kit: numbers divided by semicolons, each with a vendor in front and a quantity behind if
 * need be, or a JSON list. @param kitNumber its own number, normalised @returns them, or what is wrong with the text
 */
export function readComponents(text: string, kitNumber: string, findVendor: ComponentVendor): Component[] | Remark {
  const entries = text.startsWith("[")
    ? readList(text)
    : text
        .split(";")
        .filter((entry) => entry.trim() !== "")
        .map(readEntry);
  if (!entries) return NOT_COMPONENTS;
  if (entries.length > MOST) return createRemark("components_too_many", { most: MOST });
  const components = new Map<string, Component>();
  for (const entry of entries) {
    if (!entry) return NOT_COMPONENTS;
    const { vendor: name, quantity } = entry;
    const number = readPartNumber(entry.partNumber);
    if (number instanceof Remark)
      return new Remark(number.code, number.values, `names a part whose number ${number.text}`);
    const { partNumber } = number;
    const pnNorm = normalizePartNumber(partNumber);
    if (partNumber.length > MAX_LENGTH.partNumber) return NOT_COMPONENTS;
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > MOST_PIECES)
      return createRemark("components_not_quantity", { most: MOST_PIECES });
    const vendor = findVendor(name);
    if (vendor === undefined) return createRemark("vendor_unknown", { value: quote(name ?? "") });
    if (pnNorm === kitNumber && vendor === findVendor(undefined)) return createRemark("components_itself");
    const key = `${vendor} ${pnNorm}`;
    if (components.has(key)) return createRemark("components_repeated", { value: partNumber });
    components.set(key, { vendor, partNumber, quantity });
  }
  return [...components.values()];
}

type Entry = Omit<Component, "vendor"> & { vendor?: string };

function readEntry(text: string): Entry | undefined {
  const [, vendor, partNumber = "", quantity = "1"] =
    /^(?:([^:]*):)?([^:*]+)(?:\*\s*(\d{1,6}))?$/.exec(text.trim()) ?? [];
  const number = partNumber.trim();
  return number === "" ? undefined : { vendor: vendor?.trim(), partNumber: number, quantity: Number(quantity) };
}

function readList(text: string): (Entry | undefined)[] | undefined {
  const list = parseJson(text);
  return Array.isArray(list) ? list.map(readObject) : undefined;
}

function readObject(value: unknown): Entry | undefined {
  const { partNumber, vendor, quantity = 1 } = (value ?? {}) as Record<string, unknown>;
  if (typeof partNumber !== "string" || typeof quantity !== "number") return undefined;
  return vendor === undefined || typeof vendor === "string" ? { vendor, partNumber, quantity } : undefined;
}
