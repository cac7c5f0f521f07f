import { setImmediate, setTimeout } from "node:timers/promises";
import { getAt } from "@partline/toolkit";

interface ShownPart {
  id: string;
  vendor: string;
  partNumber: string;
}

/** Requests of a newcomer's first screens. */
export interface Screens {
  search(q: string, limit: number): Promise<ShownPart[]>;
  /** Asks the dealer; returns whether it has each part. */
  inquire(parts: Omit<ShownPart, "id">[]): Promise<boolean[]>;
  /** Returns whether the catalog has stored what the dealer answered. */
  isStocked(id: string): Promise<boolean>;
  refreshSearch(): Promise<unknown>;
}

/** First searches of a newcomer. */
const WORDS = [
  "muffler",
  "carburetor",
  "belt",
  "blade",
  "filter",
  "air filter",
  "oil filter",
  "spark plug",
  "bearing",
  "gasket",
  "starter",
  "fuel pump",
  "pulley",
];
const PAGE = 20;
const PAGES = 3;
/** Longest wait for the catalog to store the dealer's answers, ms. */
const LONGEST_WAIT_MS = 20_000;
const AGAIN_MS = 50;

/**
 * Asks the dealer for price and stock of the parts that a newcomer sees first, as a shopper's question would.
 * @returns the number of parts that the dealer has
 */
export async function fillFirstScreens(screens: Screens): Promise<number> {
  const shownParts = new Map<string, Omit<ShownPart, "id">>();
  // Each in a turn of the event loop of its own: for several in one the embedded index would start threads that stay.
  for (const q of ["", ...WORDS]) {
    for (const { id, ...part } of await screens.search(q, q === "" ? PAGES * PAGE : PAGE)) shownParts.set(id, part);
    await setImmediate();
  }
  if (shownParts.size === 0) return 0;
  const answers = await screens.inquire([...shownParts.values()]);
  const stockedIds = [...shownParts.keys()].filter((_, index) => answers[index]);
  // The router reports to the catalog in batches. After that, parts have the price that a checkout accepts.
  for (
    const until = performance.now() + LONGEST_WAIT_MS, left = [...stockedIds];
    left.length > 0 && performance.now() < until;
  )
    if (await screens.isStocked(getAt(left, -1))) left.pop();
    else await setTimeout(AGAIN_MS);
  await screens.refreshSearch();
  return stockedIds.length;
}
