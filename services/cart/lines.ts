import { notFound, validationFailed } from "../../mixins/errors.ts";
import { formatMoney, toCents, type Cents } from "../../mixins/money.ts";

/** A line of a cart as it is kept: money in cents, no currency (it is always usd). */
export interface Line {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  unitPrice: Cents;
  manufacturer?: string;
  imageUrl?: string;
  availability?: "in_stock" | "low_stock" | "out_of_stock" | "unknown";
}

/**
 * A line as a client sends it: unitPrice in currency units; any currency is ignored, and so is a picture that is null.
 */
export type LineInput = Omit<Line, "imageUrl"> & { imageUrl?: string | null; currency?: string };

/** At most this many of one product. Source: design, Carts. */
export const MAX_QUANTITY = 9_999;
/** At most this many lines in a cart. Source: spec, section 8. */
export const MAX_LINES = 100;

export function toLine({ currency: _ignored, imageUrl, ...item }: LineInput): Line {
  return { ...item, ...(imageUrl == null ? {} : { imageUrl }), unitPrice: toCents(item.unitPrice) };
}

/**
 * The lines of a cart that a client sends whole: one a product. Lines that name the same product at the same price are
 * added up in the place of the first.
 * @throws VALIDATION_FAILED for one product at two prices, or more than 9,999 of it
 */
export function toLines(items: readonly LineInput[]): Line[] {
  const byProduct = new Map<string, Line>();
  for (const [index, item] of items.entries()) {
    const line = toLine(item);
    const same = byProduct.get(line.productId);
    if (!same) {
      byProduct.set(line.productId, line);
      continue;
    }
    if (same.unitPrice !== line.unitPrice) {
      const prices = `${formatMoney(same.unitPrice)} and ${formatMoney(line.unitPrice)}`;
      throw validationFailed({
        field: `items[${index}].unitPrice`,
        message: `The 'items[${index}].unitPrice' field must be that of the other line with the same productId: they are ${prices}.`,
      });
    }
    same.quantity = sumWithinLimit(same.quantity, line.quantity, `items[${index}].quantity`);
  }
  return [...byProduct.values()];
}

/**
 * Adds to the line of the same product, which then takes the title, price and so on of what is added (the shopper saw
 * those last) and keeps its place; else adds a line at the end.
 * @throws VALIDATION_FAILED beyond 9,999 of a product or 100 lines
 */
export function addLine(lines: readonly Line[], added: Line, field = "item"): Line[] {
  const at = indexOf(lines, added.productId);
  if (at >= 0) {
    return lines.with(at, {
      ...added,
      quantity: sumWithinLimit(lines[at]!.quantity, added.quantity, `${field}.quantity`),
    });
  }
  if (lines.length >= MAX_LINES) {
    throw validationFailed({
      field,
      message: `The '${field}' field does not fit: a cart has at most ${MAX_LINES} lines.`,
    });
  }
  return [...lines, added];
}

/** `addLine` for each, all or none. */
export function addLines(lines: readonly Line[], added: readonly Line[]): Line[] {
  return added.reduce<Line[]>((sum, line, index) => addLine(sum, line, `items[${index}]`), [...lines]);
}

/**
 * Sets the quantity of a product's line; 0 removes it, also when it is not there (the wish is met).
 * @throws NOT_FOUND for any other quantity of a product that has no line
 */
export function setQuantity(lines: readonly Line[], productId: string, quantity: number): Line[] {
  const at = indexOf(lines, productId);
  if (quantity === 0) return at < 0 ? [...lines] : lines.toSpliced(at, 1);
  if (at < 0) throw notFound("Cart item");
  return lines.with(at, { ...lines[at]!, quantity });
}

/**
 * A guest's lines moved into the user's cart at sign-in. Nobody is there to be told of a limit, so it caps instead of
 * refusing: 9,999 of a product, and of new products those that fit into 100 lines, in their order.
 */
export function mergeLines(lines: readonly Line[], moved: readonly Line[]): Line[] {
  return moved.reduce<Line[]>(
    (sum, line) => {
      const at = indexOf(sum, line.productId);
      if (at >= 0)
        return sum.with(at, { ...line, quantity: Math.min(sum[at]!.quantity + line.quantity, MAX_QUANTITY) });
      return sum.length < MAX_LINES ? [...sum, line] : sum;
    },
    [...lines],
  );
}

function indexOf(lines: readonly Line[], productId: string): number {
  return lines.findIndex((line) => line.productId === productId);
}

function sumWithinLimit(quantity: number, added: number, field: string): number {
  const sum = quantity + added;
  if (sum > MAX_QUANTITY) {
    throw validationFailed({
      field,
      message: `The '${field}' field must not bring the product's quantity above ${MAX_QUANTITY}: the cart has ${quantity} of it.`,
    });
  }
  return sum;
}
