export { assemble, findVendor, type Given } from "./src/assemble.ts";
export {
  type Figure,
  type FoundPart,
  type Manual,
  type PageFigure,
  type PageFindings,
  listPages,
} from "./src/findings.ts";
export {
  figureKey,
  type ListedPart,
  type ManualFigure,
  type ManualFile,
  type ManualPage,
  type ManualPart,
  type ModelQuantity,
  type PageCallout,
  type PlacedCallout,
} from "./src/manual.ts";
export type { Candidate } from "./src/models/evidence.ts";
export type { Unsure } from "./src/models/machine.ts";
export { serialsIn } from "./src/models/serials.ts";
export { listPagesToCheck, type PageToCheck } from "./src/parts/pages-to-check.ts";
export { unreadListsNote } from "./src/parts/unread-lists.ts";
export { cropDrawing, type PageLayout } from "./src/pictures/drawing.ts";
export { listMissingLanguages } from "./src/pictures/languages.ts";
export { HEAD_BYTES, isPdfHead } from "./src/pdf/head.ts";
export type { PageRead } from "./src/pdf/protocol.ts";
export { createPdfReader, type PdfReader } from "./src/pdf/reader.ts";
export type { Chapter } from "./src/pdf/facts.ts";
