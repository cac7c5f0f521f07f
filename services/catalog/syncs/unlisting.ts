export interface ListingFacts {
  /** Pages that could not be had. */
  pagesFailed: number;
  /** Pages that were not asked for. */
  pagesUnasked: number;
  /**
   * Why it was not seen whether anything comes behind the pages that the supplier says it has; undefined when it was.
   */
  endUnseen: string | undefined;
  /** Items that the supplier says it lists. */
  announced: number;
  /** Items of which nobody can tell what part they are. */
  unidentified: number;
  /** Different parts among the others. */
  listed: number;
  /** Active parts of the supplier before. */
  activeBefore: number;
}

/** A listing with fewer parts than this share of those that were active is taken for a broken one. */
const PLAUSIBLE_SHARE = 0.5;

/** Why the parts that a full sync did not find listed may not be taken for gone; undefined when they may. */
export function whyNotUnlisted({
  pagesFailed,
  pagesUnasked,
  endUnseen,
  announced,
  unidentified,
  listed,
  activeBefore,
}: ListingFacts): string | undefined {
  if (pagesFailed > 0) return `${pagesFailed} of its pages could not be had`;
  if (pagesUnasked > 0) return `${pagesUnasked} of its pages were not asked for`;
  if (endUnseen !== undefined) return "the end of the listing was not found";
  if (unidentified > 0) return `${unidentified} of its items have no item number that can be read`;
  // An item that came twice may have pushed another off the pages.
  if (listed < announced)
    return `the supplier says that it lists ${announced} items, and its pages have ${listed} different ones`;
  if (listed < activeBefore * PLAUSIBLE_SHARE) return `it has ${listed} parts where ${activeBefore} were active before`;
  return undefined;
}
