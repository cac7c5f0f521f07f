import {
  array,
  boolean,
  date,
  type Infer,
  integer,
  number,
  object,
  oneOf,
  rules,
  string,
} from "@partline/api-contracts";

import { MOST_MODELS } from "./limits.ts";

/** Statuses of jobs and of their files. Source: design, Document pipeline. */
export const FILE_STATUSES = ["queued", "processing", "completed", "partially_failed", "failed", "cancelled"] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** Why a page could not be read. */
const PAGE_ERRORS = ["damaged", "timeout", "memory", "crashed", "given_up"] as const;
export type PageError = (typeof PAGE_ERRORS)[number];
/** Why a file could not be read. */
const FILE_ERRORS = [
  "not_a_pdf",
  "empty",
  "encrypted",
  "damaged",
  "too_many_pages",
  "missing",
  "pages_unreadable",
] as const;
export type FileError = (typeof FILE_ERRORS)[number];

export const batchIdRule = string({
  pattern: /^batch_[0-9A-HJKMNP-TV-Z]{26}$/,
  example: "batch_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
});
export const countRule = integer();
const urlRule = string({ format: "uri" });
const doneOfTotal = (what: string) => object({ done: countRule, total: countRule }, { description: what });

export const equipmentRule = string({ min: 1, max: 100, example: "GT-2254" });
export const manufacturerRule = string({ min: 1, max: 100, example: "Kohler" });

const progressRule = object("JobProgress", {
  files: doneOfTotal("Files that are done"),
  pages: doneOfTotal("Pages that are done, of files whose number of pages is known"),
  percent: integer({
    description:
      "Share of the pages that are done, 0 to 100; 100 when nothing is left to do. A cancelled job keeps its last " +
      "value",
  }),
  eta_seconds: integer({ nullable: true, description: "Estimated from the pages read so far; null before the first" }),
});

export type JobProgress = Infer<typeof progressRule>;

const SCANNED = "Pages that are pictures without text; only OCR can read them";

const candidateRule = object("Suggestion", {
  name: string(),
  confidence: number({ description: "0 to 1: how strongly the manual suggests it" }),
});
const createSuggestionsRule = (what: string) =>
  array(candidateRule, {
    optional: true,
    description: `Suggestions, the likeliest first (or none); present if the manual does not clearly say ${what}`,
  });
const unsureRule = object(
  "UnsureMachine",
  {
    equipment: createSuggestionsRule("which equipment it is for"),
    manufacturer: createSuggestionsRule("who made the equipment"),
  },
  {
    optional: true,
    description:
      "Values to confirm or correct with `PATCH /api/manuals/{sha256}`; absent if the manual is clear, or the values " +
      "were sent",
  },
);
const TO_CHECK =
  "Pages that need a look, because they could not be read, are pictures without text, have lists as pictures, or " +
  "begin a list of which no part was read";

const RECOGNISING = "Pages that OCR has yet to read; the manual can already be used";
const LIST_PICTURES = "Pages with lists that are pictures and that OCR has not read: their parts are missing";
const recognitionOffRule = boolean({
  optional: true,
  description: "true if OCR was switched off for these pages (PIPELINE_OCR)",
});

const usableRule = boolean({
  optional: true,
  description:
    "true while the manual can already be used and OCR reads the rest of its pages; then the status is `completed`",
});

const fileRule = object("JobFile", {
  name: string(),
  sha256: string({ nullable: true, description: "null until the file is fetched from the bucket" }),
  status: oneOf(FILE_STATUSES),
  usable: usableRule,
  pages: { ...countRule, nullable: true, description: "null until the file is opened" },
  parts: countRule,
  tables: countRule,
  images: countRule,
  images_left_out: {
    ...countRule,
    optional: true,
    description: "Images that are not kept because they have more than 36 megapixels or cannot be decoded",
  },
  pages_scanned: { ...countRule, optional: true, description: SCANNED },
  pages_recognising: { ...countRule, optional: true, description: RECOGNISING },
  pages_list_pictures: { ...countRule, optional: true, description: LIST_PICTURES },
  recognition_off: recognitionOffRule,
  models: {
    ...countRule,
    optional: true,
    description: "Number of models that the manual is for; absent until it is read",
  },
  equipment: array(string(), { optional: true, description: "The first 10 of these models" }),
  manufacturer: string({ optional: true }),
  unsure: unsureRule,
  pages_to_check: { ...countRule, optional: true, description: TO_CHECK },
  removed: boolean({
    optional: true,
    description: "true if the manual was removed since; `status` is then its last status",
  }),
  error: string({ optional: true, description: "Why the file failed, or which pages could not be read and why" }),
  error_code: oneOf(FILE_ERRORS, { optional: true, description: "The error as a code, if it has one" }),
  note: string({
    optional: true,
    description: "What to check: lists of which no part was read, and pictures that OCR did not read",
  }),
});

const jobFields = rules({
  batch_id: string(),
  status: oneOf(FILE_STATUSES),
  usable: usableRule,
  progress: progressRule,
  created_at: date(),
  updated_at: date(),
  expires_at: date({ description: "Time at which the job is deleted; its manuals stay" }),
});

export const jobSummaryRule = object("JobSummary", {
  ...jobFields,
  file_names: array(string(), { description: "Names of the first 10 files; `progress.files.total` counts all" }),
});
export const jobRule = object("Job", { ...jobFields, files: array(fileRule) });

export const jobEventRule = object("JobEvent", {
  position: countRule,
  batch_id: string(),
  status: oneOf(FILE_STATUSES),
  usable: usableRule,
  progress: progressRule,
});

const foundPartFields = rules({
  part_number: string({
    description:
      "As printed; a number of the shop's own (`CT-VNT-801973`) is replaced by the maker's, which the catalog has",
  }),
  pattern: string({ description: "Family of numbers by which it was recognised" }),
  confidence: number({ description: "0 to 1" }),
  page: countRule,
  bbox: object(
    "PageBox",
    { x: number(), y: number(), width: number(), height: number() },
    { description: "In points, from the top left corner of the page as displayed" },
  ),
  quantity: number({
    nullable: true,
    description: "Number of pieces in the equipment; null if the page does not say, or its models differ",
  }),
  description: string({ nullable: true }),
});

/** Quantity of a row's part on one of the manual's models. */
const modelQuantityRule = object("ModelQuantity", {
  model: string({ min: 1, max: 100 }),
  quantity: number({
    min: 0,
    max: 100_000,
    nullable: true,
    optional: true,
    description: "0 if the part is not on that model; null if it is, in an unknown quantity",
  }),
});
export const rowFields = rules({
  description: string({ max: 500, nullable: true }),
  quantity: number({ min: 0, max: 100_000, nullable: true }),
  reference: string({ max: 40, nullable: true, description: "Reference (callout) number of the row" }),
  figure: string({ max: 240, nullable: true, description: "Label of its figure, else the title" }),
  models: array(modelQuantityRule, {
    max: MOST_MODELS,
    nullable: true,
    description: "Models that the row names; null if it applies to all models of its page",
  }),
});
export const numberRule = string({ min: 1, max: 60, example: "12 714 19-S" });

const correctedRowRule = object("CorrectedRow", { part_number: string(), ...rowFields });
const correctedFigureRule = object("CorrectedFigure", { label: string(), title: string() });
export const correctionRule = object("ManualCorrection", {
  correction: string({ description: "Id of the correction" }),
  page: countRule,
  kind: oneOf(["part", "figure", "page"], { description: "`page`: the page was confirmed as read correctly" }),
  part: object(
    {
      read: { ...correctedRowRule, nullable: true, description: "The row as it was read; null if staff added it" },
      corrected: {
        ...correctedRowRule,
        nullable: true,
        description: "The row as staff corrected it; null if it is not a part",
      },
    },
    { optional: true },
  ),
  figure: object({ read: { ...correctedFigureRule }, corrected: { ...correctedFigureRule } }, { optional: true }),
  state: oneOf(["under_way", "applied", "not_needed"], {
    description:
      "`under_way` until the manual is assembled with it; `not_needed` if a later reading has the same value " +
      "without it",
  }),
  corrected_at: date(),
});

export const jobPartRule = object("JobPart", {
  ...foundPartFields,
  file: string({ description: "Name of the file" }),
});

const checkRule = oneOf(["unreadable", "scanned", "list_picture", "list_without_parts"], {
  description: "Why the page needs a look",
});
const pageFields = rules({
  check: { ...checkRule, nullable: true, description: "Why the page needs a look; null if it does not" },
  recognition: oneOf(["waiting", "done", "off", "failed", "skipped"], {
    nullable: true,
    description:
      "Whether OCR read a page that is a picture, or has lists that are pictures. `off`: OCR was switched off; " +
      "`skipped`: the page does not look like a list, and OCR reads only lists",
  }),
  error: string({ nullable: true, description: "Why the page could not be read" }),
  error_code: oneOf(PAGE_ERRORS, { nullable: true, description: "The error as a code, if it has one" }),
});

export const pageSummaryRule = object("PageSummary", {
  page: countRule,
  parts: {
    ...countRule,
    nullable: true,
    description: "Null, like the counts below, if a version before 0.4 read the page",
  },
  figures: { ...countRule, nullable: true },
  tables: { ...countRule, nullable: true },
  callouts: { ...countRule, nullable: true },
  ...pageFields,
});

export const pageFindingsRule = object("PageFindings", {
  page: countRule,
  width: number({ nullable: true, description: "In points; null if a version before 0.3 read the page" }),
  height: number({ nullable: true, description: "In points; null if a version before 0.3 read the page" }),
  tables: countRule,
  ...pageFields,
  parts: array(
    object("FoundPart", {
      row: string({ description: "Current id of the row, for corrections" }),
      ...foundPartFields,
      reference: rowFields.reference,
      models: rowFields.models,
      figure: rowFields.figure,
      named_in: oneOf(["text", "supersessions"], {
        nullable: true,
        description: "Where the part is named if not in a parts list",
      }),
      correction: string({ nullable: true, description: "Id of its correction, if it has one" }),
    }),
    { description: "As many parts as fit into an answer" },
  ),
  figures: array(
    object("FoundFigure", {
      figure: string({ description: "Current id of the figure, for corrections" }),
      label: string(),
      title: string(),
      correction: string({ nullable: true, description: "Id of its correction, if it has one" }),
    }),
  ),
  corrections: array(correctionRule, { description: "Corrections on this page" }),
});

const figureRule = object("Figure", {
  label: string({ description: "As printed; empty if the figure has only a title" }),
  title: string(),
  page: countRule,
  images: array(countRule, { description: "Indexes of the page's images that show it" }),
  callouts: array(string(), { description: "Reference numbers in the drawing" }),
});

const placeFields = rules({
  page: { ...countRule, description: "From 1" },
  index: { ...countRule, description: "Number on the page, from 1" },
});

export const manualOverviewRule = object("ManualOverview", {
  sha256: string(),
  filename: string(),
  title: string(),
  equipment: array(string()),
  manufacturer: string({ optional: true }),
  unsure: unsureRule,
  pages: countRule,
  chapters: array(object("ManualChapter", { title: string(), page: { ...countRule, description: "From 1" } }), {
    description: "The first 100 entries of the PDF's own outline; empty if it has none",
  }),
  counts: object(
    "ManualCounts",
    { parts: countRule, tables: countRule, images: countRule, figures: countRule },
    { description: "Counts of the whole manual" },
  ),
  pages_scanned: { ...countRule, optional: true, description: SCANNED },
  pages_recognising: { ...countRule, optional: true, description: RECOGNISING },
  pages_list_pictures: { ...countRule, optional: true, description: LIST_PICTURES },
  recognition_off: recognitionOffRule,
  pages_to_check: { ...countRule, optional: true, description: TO_CHECK },
  checks: array(
    object("PageCheck", {
      page: countRule,
      reason: { ...checkRule },
    }),
    { optional: true, description: "The first 100 pages that need a look" },
  ),
  correction: oneOf(["under_way", "failed"], {
    optional: true,
    description:
      "State of a correction of its equipment or manufacturer; absent once it is done. While it is under way, some " +
      "parts and pages may already be corrected. If it failed, everything is as before",
  }),
  source: { ...urlRule, description: "The PDF" },
  tables: array(object("ManualTable", { ...placeFields, json: urlRule, csv: urlRule })),
  images: array(object("ManualImage", { ...placeFields, url: urlRule })),
  figures: array(figureRule),
  next: { ...countRule, optional: true, description: "The `after` of the next page; absent on the last one" },
});
