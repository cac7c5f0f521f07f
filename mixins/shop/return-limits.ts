/** Why a buyer returns pieces. */
export const RETURN_REASONS = ["not_needed", "wrong_part", "defective", "damaged", "other"] as const;

/** Characters of what a buyer writes about a return. */
export const LONGEST_RETURN_COMMENT = 1_000;

/** Photos that a buyer can add to a return. */
export const MOST_RETURN_PHOTOS = 3;
