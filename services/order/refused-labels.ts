import type { OrderDocument } from "./collections.ts";

/** Returns whether the shop must claim the money of a label: until staff removes the note that says so. */
export function hasRefusedLabel({ labels = [], notes = [] }: Pick<OrderDocument, "labels" | "notes">): boolean {
  return labels.some(
    ({ state, parcelId }) =>
      state === "void_refused" && notes.some(({ noteId }) => noteId === nameNoteOfRefusal(parcelId)),
  );
}

/** Returns the id of the note that says that EasyPost keeps the money of a label. */
export const nameNoteOfRefusal = (parcelId: string): string => `note_${parcelId}`;
