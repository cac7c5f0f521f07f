/**
 * The objects that the pipeline keeps of a manual for other services. Source: design, Document pipeline. `manual.json`
 * is written last: if it is there, the others are.
 */

export const getManualPrefix = (sha256: string): string => `manuals/${sha256}/`;
export const getManualKey = (sha256: string): string => `${getManualPrefix(sha256)}manual.json`;
/** Pieces count from 0. */
export const getPartsPieceKey = (sha256: string, piece: number): string =>
  `${getManualPrefix(sha256)}parts/${piece}.json`;
export const getFindingsPrefix = (sha256: string): string => `${getManualPrefix(sha256)}findings/`;
