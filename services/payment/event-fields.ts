import { validationFailed, type PartlineError } from "../../mixins/errors.ts";
import type { Cents } from "../../mixins/money.ts";

/** Reads fields of a provider's event. The signature proves who wrote them, not that they are as documented. */

const ID = /^[\x21-\x7e]{1,255}$/;
const STATUS = /^[a-z_]{1,50}$/;
const CURRENCY = /^[a-z]{3}$/;

/** @throws VALIDATION_FAILED */
export function idIn(value: unknown, field: string): string {
  return textIn(value, ID, field, "an id");
}

/** @throws VALIDATION_FAILED */
export function statusIn(value: unknown): string {
  return textIn(value, STATUS, "status", "a status");
}

/** @throws VALIDATION_FAILED */
export function currencyIn(value: unknown): string {
  return textIn(value, CURRENCY, "currency", "a currency code");
}

/** @throws VALIDATION_FAILED */
export function centsIn(value: unknown, field: string): Cents {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw refused(field, "a whole number of cents");
}

/** Returns whether a completed session's money has arrived. @throws VALIDATION_FAILED for an unknown status */
export function paymentIn(status: unknown): "paid" | "pending" {
  switch (status) {
    case "paid":
    case "no_payment_required":
      return "paid";
    case "unpaid":
      return "pending";
    default:
      throw refused("payment_status", "paid, unpaid or no_payment_required");
  }
}

function textIn(value: unknown, pattern: RegExp, field: string, what: string): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw refused(field, what);
}

function refused(field: string, what: string): PartlineError {
  const path = `data.object.${field}`;
  return validationFailed({ field: path, message: `The '${path}' field must be ${what}.` });
}
