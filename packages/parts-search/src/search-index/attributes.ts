/**
 * Keyword fields that some parts have: filters and facets of both engines, which read this one list. A new one needs
 * nothing else in them.
 */
export const ATTRIBUTES = [
  "tireSize",
  "tireRim",
  "tireWidth",
  "tirePly",
  "tireLoadIndex",
  "tireSpeed",
  "tirePattern",
  "tireTube",
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
export type Attributes = Partial<Record<Attribute, string>>;

/** A value as it is compared. */
export function toAttributeKey(value: string): string {
  return value.trim().toLowerCase();
}
