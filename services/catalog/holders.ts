import { type CallMeta, getCaller } from "../../broker/contract/context.ts";
import { computeDigest } from "@partline/toolkit";

/** Holder of unpaid pieces, with the limit. */
export interface Holder {
  /** A digest, since a session's id is a secret and an address is personal. It is kept as long as the hold. */
  id: string;
  parts: number;
  pieces: number;
}

const OF_SESSION = { parts: 20, pieces: 100 };
/** Shared by all guests behind it. */
const OF_ADDRESS = { parts: 50, pieces: 250 };
/** A whole checkout: accounts are the identity provider's to limit. */
const OF_USER = { parts: 100, pieces: 1_000 };

/**
 * Returns whom a checkout's hold counts for: a user, or a guest's session and address, since a session costs nothing.
 * Staff, systems with a key, and calls that no client made have no bound.
 */
export function findHolders(ctx: { meta: CallMeta }): Holder[] {
  const { user, key, admin, sessionId } = getCaller(ctx);
  const { client } = ctx.meta;
  if (key || admin) return [];
  if (user) return [{ id: computeDigest(["user", user.sub]), ...OF_USER }];
  return [
    ...(sessionId === undefined ? [] : [{ id: computeDigest(["session", sessionId]), ...OF_SESSION }]),
    ...(client === undefined ? [] : [{ id: computeDigest(["address", client]), ...OF_ADDRESS }]),
  ];
}

interface Line {
  productId: string;
  quantity: number;
}

/**
 * Returns how many pieces of each part a checkout may hold, the first parts first.
 * @param elsewhere what each holder's other checkouts hold
 */
export function limitHeld(
  requested: ReadonlyMap<string, number>,
  holders: readonly Holder[],
  elsewhere: (holder: Holder) => readonly Line[],
): Map<string, number> {
  if (holders.length === 0) return new Map(requested);
  const room = holders.map((holder) => {
    const lines = elsewhere(holder);
    return {
      parts: holder.parts - lines.length,
      pieces: holder.pieces - lines.reduce((sum, { quantity }) => sum + quantity, 0),
    };
  });
  const parts = Math.max(0, Math.min(...room.map((left) => left.parts)));
  let pieces = Math.max(0, Math.min(...room.map((left) => left.pieces)));
  const most = new Map<string, number>();
  for (const [productId, quantity] of [...requested].slice(0, parts)) {
    const granted = Math.min(quantity, pieces);
    if (granted > 0) most.set(productId, granted);
    pieces -= granted;
  }
  return most;
}
