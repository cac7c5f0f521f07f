import { notFound, PartlineError } from "../../mixins/errors.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./repository.ts";

/** What staff note of an order: decisions as pure functions. Events name the field alone. */

const MOST_NOTES = 200;

/** @throws INVALID_TRANSITION for one too many */
export function addNote(
  order: OrderDocument,
  text: string,
  { actor, now, noteId }: { actor: string; now: Date; noteId: string },
): Change {
  const { notes = [], status } = order;
  if (notes.length >= MOST_NOTES)
    throw new PartlineError("INVALID_TRANSITION", `An order has at most ${MOST_NOTES} notes`, { status });
  const note = { noteId, text, actor, createdAt: now.toISOString() };
  return noted({ ...order, notes: [...notes, note] }, actor);
}

/** @throws NOT_FOUND */
export function removeNote(order: OrderDocument, noteId: string, actor: string): Change {
  const { notes = [] } = order;
  const left = notes.filter((note) => note.noteId !== noteId);
  if (left.length === notes.length) throw notFound("Note", noteId);
  return noted({ ...order, notes: left.length > 0 ? left : undefined }, actor);
}

function noted(order: OrderDocument, actor: string): Change {
  return { order, actor, event: { channel: "order.updated", changed: ["notes"] } };
}
