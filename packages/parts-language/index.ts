export {
  AVAILABILITIES,
  type Availability,
  describeAvailability,
  PART_STATUSES,
  type PartStatus,
} from "./src/availability.ts";
export { fold, foldName } from "./src/fold.ts";
export {
  compareMeasures,
  convert,
  findMeasures,
  formatMeasure,
  getKind,
  isWithin,
  keepSized,
  type Measured,
  type Unit,
} from "./src/measures.ts";
export {
  type Cents,
  getCurrencyDigits,
  formatAmount,
  formatMoney,
  HIGHEST_PRICE,
  isWholeCents,
  computeSubtotal,
  toCents,
  toDecimal,
  toMajorUnits,
  toMinorUnits,
  computeWorth,
} from "./src/money.ts";
export { type Comparable, isByWeight, type Order, sortByOrder, toTitleOrder } from "./src/order.ts";
export { hasForeignLetter, LONGEST_CHAIN, normalizePartNumber } from "./src/part-number.ts";
export { listMarks, withoutPersonalData } from "./src/personal-data.ts";
export {
  asSeen,
  hasControlCharacter,
  isPercentEncoded,
  isSafeText,
  onOneLine,
  removeCredentials,
} from "./src/safe-text.ts";
export { cleanText, cleanEquipmentName, isInstruction, isLongNumber, cleanLine, cleanTitle } from "./src/safe-words.ts";
export { findPartKind, type KindGroups, readKindWords } from "./src/part-kind.ts";
export { isInSerialRange, mayHave, type SerialRange } from "./src/serials.ts";
export { readTireFacts, type TireFacts } from "./src/tire-facts.ts";
export { findTireSize, parseTireSize, type TireSize } from "./src/tire-size.ts";
export { isTire, isTireIn, TIRE_SUPPLIER_CODE, TIRE_SYSTEMS, WHEELS_AND_TIRES } from "./src/tires.ts";
export { isRetired, proposeVendorCode, VENDOR_CODES, VENDOR_NAMES, type VendorCode } from "./src/vendors.ts";
