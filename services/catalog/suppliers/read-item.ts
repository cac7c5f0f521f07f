import { normalizePartNumber } from "@partline/parts-language";
import { MAX_LENGTH } from "../part-checks.ts";
import { toPartId } from "../part-number.ts";
import type { PartNews } from "../part-content.ts";
import { readPartNumber, Remark } from "@partline/price-files";
import { createRemark } from "../remarks.ts";
import { toText, type Fields, ItemFields, UnusableItem } from "./item.ts";
import type { Supplier } from "./port.ts";

/** Returns what an item says, or why it is of no use: with `id` if its number is readable, as then it is listed. */
export function readItem(
  { code, numberField, toPart }: Supplier,
  item: unknown,
): { id: string; news: PartNews; refusal?: undefined } | { id?: string; refusal: Remark; news?: undefined } {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return { refusal: createRemark("item_not_object") };
  const text = toText((item as Fields)[numberField], MAX_LENGTH.partNumber);
  const number = text === undefined ? createRemark("number_not_text") : readPartNumber(text);
  if (number instanceof Remark) return { refusal: number.locate(numberField, "The field") };
  const { partNumber } = number;
  const id = toPartId(code, normalizePartNumber(partNumber));
  try {
    const { maker, ...news } = toPart(new ItemFields(item as Fields));
    return { id, news: { partNumber, ...news, manufacturer: { name: maker, code } } };
  } catch (error) {
    if (!(error instanceof UnusableItem)) throw error;
    const { code: fault, values, text: reason } = error.remark;
    return { id, refusal: new Remark(fault, { partNumber, ...values }, `${partNumber}: ${reason}`) };
  }
}
