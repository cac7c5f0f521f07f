interface LabelledOrder<L> {
  labels?: readonly L[] | undefined;
  notes?: readonly { noteId: string }[] | undefined;
}

/**
 * Finds the labels whose money the shop must claim, each with the id of the note that says so: until staff removes that
 * note.
 */
export function findRefusedLabels<L extends { state: string; parcelId: string }>({
  labels = [],
  notes = [],
}: LabelledOrder<L>): { label: L; noteId: string }[] {
  return labels
    .filter(({ state }) => state === "void_refused")
    .map((label) => ({ label, noteId: nameNoteOfRefusal(label.parcelId) }))
    .filter(({ noteId }) => notes.some((note) => note.noteId === noteId));
}

/** Returns the id of the note that says that EasyPost keeps the money of a label. */
export const nameNoteOfRefusal = (parcelId: string): string => `note_${parcelId}`;
