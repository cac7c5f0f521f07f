/** Source: specification, "States and transitions". */
export const PART_STATUSES = ["active", "discontinued"] as const;
export type PartStatus = (typeof PART_STATUSES)[number];
