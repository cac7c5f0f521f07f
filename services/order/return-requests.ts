import { notFound, PartlineError } from "../../mixins/errors.ts";
import { toMinorUnits, type Cents } from "@partline/parts-language";
import { MOST_RETURN_PHOTOS } from "../../mixins/shop/return-limits.ts";
import { findLastReturnDay, type ReturnTerms } from "../../mixins/shop/return-terms.ts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import type { NamedItem, OrderDocument, OrderReturn, ReturnReason } from "./collections.ts";
import { announceReturn, assertFee, type Facts, findReturn, pickReturnable, replaceReturn } from "./changes.ts";
import { findDisputeState } from "./disputes.ts";
import { type Change, recordFields } from "./order-change.ts";
import { computeOwed } from "./refunds/ledger.ts";

/** Reasons that are the buyer's own: for the others, no fee is kept. */
const FEE_REASONS: readonly ReturnReason[] = ["not_needed", "other"];

export interface ReturnRequest {
  lines: readonly NamedItem[];
  reason: ReturnReason;
  comment?: string;
}

/**
 * Takes a buyer's request to return pieces; by the shop's terms it is approved at once, unless the payment is disputed.
 * @throws VALIDATION_FAILED; INVALID_TRANSITION once it is too late, or for more pieces than are left to return
 */
export function requestReturn(
  order: OrderDocument,
  { lines, reason, comment }: ReturnRequest,
  terms: ReturnTerms,
  { actor, now, returnId }: Facts & { returnId: string },
): Change {
  const items = pickReturnable(order, lines);
  const until = findLastReturnDay(order, terms, shopDays());
  if (until === undefined || shopDays().findDay(now) > until) {
    const message =
      until === undefined ? "Returns cannot be requested online" : `Returns could be requested until ${until}`;
    throw new PartlineError("INVALID_TRANSITION", message, { until });
  }
  const owed = computeOwed(order, items);
  const fee = FEE_REASONS.includes(reason) ? toMinorUnits(terms.fee, order.currency) : 0;
  const state = terms.approval === "auto" && !findDisputeState(order) ? "approved" : "requested";
  const createdAt = now.toISOString();
  const newReturn: OrderReturn = { returnId, items, reason, restockingFee: Math.min(fee, owed), createdAt, state };
  const text = comment?.trim();
  const { returns = [], returnDetails = [] } = order;
  const details = text ? [...returnDetails, { returnId, comment: text }] : order.returnDetails;
  const next = { ...order, returns: [...returns, newReturn], returnDetails: details };
  return announceReturn(next, newReturn, actor, { state });
}

export type ReturnDecision = { restockingFee?: Cents } | { refusal: string };

/**
 * Decides a return that the buyer requested. Undefined if it was decided so before.
 * @throws NOT_FOUND; VALIDATION_FAILED for too high a fee; INVALID_TRANSITION if it was decided otherwise or cancelled
 */
export function decideReturn(
  order: OrderDocument,
  returnId: string,
  decision: ReturnDecision,
  actor: string,
): Change | undefined {
  const { returnDetails = [] } = order;
  const existing = findReturn(order, returnId);
  const state = "refusal" in decision ? "refused" : "approved";
  const isOtherFee =
    "restockingFee" in decision &&
    decision.restockingFee !== undefined &&
    decision.restockingFee !== (existing.restockingFee ?? 0);
  if (existing.state === state && existing.cancelledAt === undefined && !isOtherFee) return undefined;
  if (existing.state !== "requested" || existing.cancelledAt !== undefined)
    throw new PartlineError("INVALID_TRANSITION", "The return is decided or cancelled", { returnId });
  const decided: OrderReturn = { ...existing, state };
  const next = replaceReturn(order, decided);
  if ("refusal" in decision) {
    const details = returnDetails.find((candidate) => candidate.returnId === returnId);
    const otherDetails = returnDetails.filter((candidate) => candidate !== details);
    next.returnDetails = [...otherDetails, { ...details, returnId, refusal: decision.refusal.trim() }];
  } else {
    const { restockingFee = Math.min(existing.restockingFee ?? 0, computeOwed(order, existing.items)) } = decision;
    assertFee(order, existing.items, restockingFee);
    decided.restockingFee = restockingFee;
  }
  return announceReturn(next, decided, actor, { state });
}

/**
 * Adds a photo to a return that the buyer requested. Undefined if it has it.
 * @throws NOT_FOUND; INVALID_TRANSITION for one too many, or once the return is refused or cancelled
 */
export function addPhoto(order: OrderDocument, returnId: string, photo: string, actor: string): Change | undefined {
  const { returnDetails = [] } = order;
  const existing = findReturn(order, returnId);
  if (!existing.state) throw notFound("Return", returnId);
  const details = returnDetails.find((candidate) => candidate.returnId === returnId) ?? { returnId };
  const photos = details.photos ?? [];
  if (photos.includes(photo)) return undefined;
  if (photos.length >= MOST_RETURN_PHOTOS || existing.state === "refused" || existing.cancelledAt !== undefined) {
    const why =
      photos.length >= MOST_RETURN_PHOTOS
        ? `A return has at most ${MOST_RETURN_PHOTOS} photos`
        : "The return is closed";
    throw new PartlineError("INVALID_TRANSITION", why, { returnId });
  }
  const otherDetails = returnDetails.filter((candidate) => candidate.returnId !== returnId);
  const next = { ...order, returnDetails: [...otherDetails, { ...details, photos: [...photos, photo] }] };
  return recordFields(next, actor, "returnDetails");
}
