export {
  AVAILABILITIES,
  type Availability,
  availabilityOf,
  PART_STATUSES,
  type PartStatus,
} from "./src/availability.ts";
export { fold, foldName } from "./src/fold.ts";
export {
  type Cents,
  currencyDigits,
  formatAmount,
  formatMoney,
  HIGHEST_PRICE,
  isWholeCents,
  subtotalOf,
  toCents,
  toDecimal,
  toMajorUnits,
  toMinorUnits,
  worthOf,
} from "./src/money.ts";
export { digitsOf, NUMBER_WORDS, TENS, UNITS } from "./src/number-words.ts";
export { hasForeignLetter, LONGEST_CHAIN, normalizePartNumber } from "./src/part-number.ts";
export { asSeen, isPercentEncoded, isSafeText, onOneLine, withoutCredentials } from "./src/safe-text.ts";
export { cleanText, equipmentName, isInstruction, isLongNumber, quotableLine, titleOf } from "./src/safe-words.ts";
export { mayHave, type SerialRange } from "./src/serials.ts";
export { tireFacts, type TireFacts } from "./src/tire-facts.ts";
export { findTireSize, parseTireSize } from "./src/tire-size.ts";
export { isTire, isTireIn, TIRE_SUPPLIER_CODE, TIRE_SYSTEMS, WHEELS_AND_TIRES } from "./src/tires.ts";
export { isRetired, VENDOR_CODES, VENDOR_NAMES, type VendorCode } from "./src/vendors.ts";
