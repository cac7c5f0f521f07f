import { setImmediate, setTimeout } from "node:timers/promises";
import { getAt } from "@partline/toolkit";
import type { CallOrigin } from "../../broker/contract/call.ts";
import { call } from "../../services/contracts.ts";

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
export async function stockFirstScreens(from: CallOrigin): Promise<number> {
  const shownParts = new Map<string, { vendor: string; partNumber: string }>();
  // Each in a turn of the event loop of its own: for several in one the embedded index would start threads that stay.
  for (const q of ["", ...WORDS]) {
    const { hits } = await call(from, "search.lookUp", { q, limit: q === "" ? PAGES * PAGE : PAGE });
    for (const part of hits) shownParts.set(part.id, { vendor: part.manufacturer.code, partNumber: part.partNumber });
    await setImmediate();
  }
  if (shownParts.size === 0) return 0;
  const { parts } = await call(from, "dis-router.inquire", { parts: [...shownParts.values()] });
  const stockedIds = [...shownParts.keys()].filter(
    (_, index) => parts[index]?.found === true && parts[index].quantity !== null,
  );
  // The router reports to the catalog in batches. After that, parts have the price that a checkout accepts.
  const isStocked = async (id: string) => (await call(from, "catalog.get", { id })).stock !== undefined;
  for (
    const until = performance.now() + LONGEST_WAIT_MS, left = [...stockedIds];
    left.length > 0 && performance.now() < until;
  )
    if (await isStocked(getAt(left, -1))) left.pop();
    else await setTimeout(AGAIN_MS);
  await call(from, "search.refresh", {});
  return stockedIds.length;
}
