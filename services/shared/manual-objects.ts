/**
 * The objects that the pipeline keeps of a manual for other services. Source: design, Document pipeline. `manual.json`
 * is written last: if it is there, the others are.
 */

export const prefixOf = (sha256: string): string => `manuals/${sha256}/`;
export const manualKey = (sha256: string): string => `${prefixOf(sha256)}manual.json`;
/** Pieces count from 0. */
export const partsPieceKey = (sha256: string, piece: number): string => `${prefixOf(sha256)}parts/${piece}.json`;
export const findingsBelow = (sha256: string): string => `${prefixOf(sha256)}findings/`;
