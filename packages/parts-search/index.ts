export { openModelThread } from "./src/embeddings/model-thread.ts";
export { CatalogMachines, type MachineName } from "./src/fitment-index/catalog-machines.ts";
export {
  CALLOUTS,
  type CalloutsDocument,
  type DiagramOfManual,
  DIAGRAMS,
  type DiagramsDocument,
  FITMENT_STATE,
  type FitmentState,
  isOn,
  type ManualDocument,
  MANUALS,
  MOST_OF_A_NUMBER,
  toReadingId,
  type RowDocument,
  ROWS,
} from "./src/fitment-index/collections.ts";
export { Directories, type Directory, type LiveManual } from "./src/fitment-index/directory.ts";
export {
  toFigureId,
  FigureReader,
  type FigureRow,
  isOnModel,
  type LinkedCallout,
} from "./src/fitment-index/figure-reader.ts";
export { makeAndModel, type Model, toModelKey } from "./src/fitment-index/model-names.ts";
export { ModelFinder } from "./src/fitment-index/model-finder.ts";
export { type ModelMention, Models } from "./src/fitment-index/models.ts";
export {
  type DiagramRow,
  FitmentReader,
  type FitmentRow,
  type ModelRows,
  MOST_OF_A_MODEL,
  type SupersessionRow,
} from "./src/fitment-index/reader.ts";
export { openPassageIndex } from "./src/passage-index/open.ts";
export type { Passage, PassageIndex } from "./src/passage-index/port.ts";
export { type Attribute, type Attributes, ATTRIBUTES } from "./src/search-index/attributes.ts";
export { toChanges } from "./src/search-index/builds.ts";
export {
  computeEditDistance,
  computeForgivenEdits,
  isSlip,
  listHalves,
  LONGEST_CORRECTED,
} from "./src/search-index/edit-distance.ts";
export { compareCounts } from "./src/search-index/facet-values.ts";
export { type CatalogMachine, listFits, LONGEST_MACHINE } from "./src/search-index/fits.ts";
export { countPages, MAX_DEPTH } from "./src/search-index/depth.ts";
export type { HitDocument, IndexDocument } from "./src/search-index/index-document.ts";
export { isNearNumber, listAlike, listSlips, rankSlip } from "./src/search-index/near-numbers.ts";
export { openSearchIndex } from "./src/search-index/open.ts";
export {
  type IndexBatch,
  type IndexBuild,
  type IndexStatus,
  LOGICAL_INDEXES,
  type LogicalIndex,
  type PartKey,
  type Progress,
  type SearchIndex,
  SearchIndexError,
  type SearchIndexErrorCode,
  type SearchQuery,
  type Sort,
  type Suggestion,
} from "./src/search-index/port.ts";
export { MAX_QUERY, planNumbers } from "./src/search-index/query-plan.ts";
export { relaxQuery, type Relaxed } from "./src/search-index/relaxing.ts";
export type { Facets, FacetValue, SearchHit, SearchPage } from "./src/search-index/search-page.ts";
export { toDecimalOrNull, presentHit, presentPage, type ShownPage, presentPart } from "./src/search-index/shown.ts";
export { cutTitle, findLastThing } from "./src/search-index/title-head.ts";
export { toUnitVector } from "./src/passage-index/unit-vector.ts";
export {
  findPairCorrection,
  isCalled,
  isMeantIn,
  isNamedIn,
  isThingIn,
  type NameQuery,
  nameTerms,
  type Relevance,
  RELEVANT,
  scoreRelevance,
} from "./src/search-index/name-relevance.ts";
export { prepareEmbeddings } from "./src/embeddings/prepare.ts";
