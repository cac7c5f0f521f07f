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
} from "../../broker/contract/rules.ts";

import { MOST_MODELS } from "./limits.ts";

/** Of jobs and of their files. Source: design, Document pipeline. */
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
  pages: doneOfTotal("Of the files whose number of pages is known"),
  percent: integer({
    description:
      "Share of the pages that are done, 0 to 100; 100 when nothing is left to do. A cancelled job keeps " +
      "the value that it reached",
  }),
  eta_seconds: integer({ nullable: true, description: "Estimated from the pages read so far; null before the first" }),
});

export type JobProgress = Infer<typeof progressRule>;

const SCANNED = "Pages that are pictures without text; only OCR can read them";

const candidateRule = object("Suggestion", {
  name: string(),
  confidence: number({ description: "0 to 1: how much in the manual speaks for it" }),
});
const createSuggestionsRule = (what: string) =>
  array(candidateRule, {
    optional: true,
    description: `Present if the manual does not say clearly ${what}: what it may be, the likeliest first, or an empty list`,
  });
const unsureRule = object(
  "UnsureMachine",
  {
    equipment: createSuggestionsRule("which equipment it is for"),
    manufacturer: createSuggestionsRule("who made that"),
  },
  {
    optional: true,
    description:
      "What a person should confirm or correct with `PATCH /api/manuals/{sha256}`; absent if the manual is clear, or " +
      "the values were sent",
  },
);
const TO_CHECK =
  "Pages that need a look: they could not be read, are pictures without text, have lists as pictures, or begin a list " +
  "of which no part was read";

const RECOGNISING = "Pages that OCR still reads; the manual can be used meanwhile";
const LIST_PICTURES = "Pages that have lists as pictures which OCR has not read: their parts are missing";
const recognitionOffRule = boolean({
  optional: true,
  description: "true if that is because OCR was switched off (PIPELINE_OCR)",
});

const usableRule = boolean({
  optional: true,
  description:
    "true while the manual can be used already and OCR still reads the rest of its pages, after which it is completed",
});

const fileRule = object("JobFile", {
  name: string(),
  sha256: string({ nullable: true, description: "null until a file of a bucket is read" }),
  status: oneOf(FILE_STATUSES),
  usable: usableRule,
  pages: { ...countRule, nullable: true, description: "null until it is opened" },
  parts: countRule,
  tables: countRule,
  images: countRule,
  images_left_out: {
    ...countRule,
    optional: true,
    description: "Images that are not kept, since they have more than 36 megapixels or cannot be decoded",
  },
  pages_scanned: { ...countRule, optional: true, description: SCANNED },
  pages_recognising: { ...countRule, optional: true, description: RECOGNISING },
  pages_list_pictures: { ...countRule, optional: true, description: LIST_PICTURES },
  recognition_off: recognitionOffRule,
  models: { ...countRule, optional: true, description: "Number of models that it is for, once it is read" },
  equipment: array(string(), { optional: true, description: "The first 10 of these models" }),
  manufacturer: string({ optional: true }),
  unsure: unsureRule,
  pages_to_check: { ...countRule, optional: true, description: TO_CHECK },
  removed: boolean({
    optional: true,
    description: "true if the manual was removed since: the status is the last one that it had",
  }),
  error: string({ optional: true, description: "Why it failed, or which pages could not be read and why" }),
  error_code: oneOf(FILE_ERRORS, { optional: true, description: "The same as a code, where there is one" }),
  note: string({
    optional: true,
    description: "What to check: lists of which no part was read, and lists that are pictures which OCR did not read",
  }),
});

const jobFields = rules({
  batch_id: string(),
  status: oneOf(FILE_STATUSES),
  usable: usableRule,
  progress: progressRule,
  created_at: date(),
  updated_at: date(),
  expires_at: date({ description: "It cannot be read after that; the manuals stay" }),
});

export const jobSummaryRule = object("JobSummary", {
  ...jobFields,
  file_names: array(string(), { description: "Of its first 10 files; `progress.files.total` is how many there are" }),
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
      "As printed, but a number of this shop's own (`CT-VNT-801973`) as its maker's, which is what the catalog has",
  }),
  pattern: string({ description: "Family of numbers that recognised it" }),
  confidence: number({ description: "0 to 1" }),
  page: countRule,
  bbox: object(
    "PageBox",
    { x: number(), y: number(), width: number(), height: number() },
    { description: "Points from the top left corner of the page as seen" },
  ),
  quantity: number({
    nullable: true,
    description: "Quantity that the equipment has; null if the page does not say, or its models differ",
  }),
  description: string({ nullable: true }),
});

/** What a row says of a model; with names of models that the manual is for. */
const modelQuantityRule = object("ModelQuantity", {
  model: string({ min: 1, max: 100 }),
  quantity: number({
    min: 0,
    max: 100_000,
    nullable: true,
    optional: true,
    description: "0 if the part is not on that model; null if it is, without a number",
  }),
});
export const rowFields = rules({
  description: string({ max: 500, nullable: true }),
  quantity: number({ min: 0, max: 100_000, nullable: true }),
  reference: string({ max: 40, nullable: true, description: "The reference (callout) number of its row" }),
  models: array(modelQuantityRule, {
    max: MOST_MODELS,
    nullable: true,
    description: "Models that the row names; null if it is for all models of its page",
  }),
});
export const numberRule = string({ min: 1, max: 60, example: "12 714 19-S" });

const correctedRowRule = object("CorrectedRow", { part_number: string(), ...rowFields });
const correctedFigureRule = object("CorrectedFigure", { label: string(), title: string() });
export const correctionRule = object("ManualCorrection", {
  correction: string({ description: "Id of the correction" }),
  page: countRule,
  kind: oneOf(["part", "figure", "page"], { description: "`page`: somebody found the page right as it is read" }),
  part: object(
    {
      read: { ...correctedRowRule, nullable: true, description: "As it was read; null if staff added it" },
      corrected: { ...correctedRowRule, nullable: true, description: "As staff says; null if it is no part" },
    },
    { optional: true },
  ),
  figure: object({ read: { ...correctedFigureRule }, corrected: { ...correctedFigureRule } }, { optional: true }),
  state: oneOf(["under_way", "applied", "not_needed"], {
    description:
      "`under_way` until the manual is put together with it; `not_needed` if the reading now says the same without it",
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
      "Of a page that is a picture, or has lists as pictures: whether OCR read it. `off`: it was switched off; `skipped`: it " +
      "does not look like a list, and only those are recognised",
  }),
  error: string({ nullable: true, description: "Why the page could not be read" }),
  error_code: oneOf(PAGE_ERRORS, { nullable: true, description: "The same as a code, where there is one" }),
});

export const pageSummaryRule = object("PageSummary", {
  page: countRule,
  parts: { ...countRule, nullable: true, description: "Null, as the counts below, if a version before 0.4 read it" },
  figures: { ...countRule, nullable: true },
  tables: { ...countRule, nullable: true },
  callouts: { ...countRule, nullable: true },
  ...pageFields,
});

export const pageFindingsRule = object("PageFindings", {
  page: countRule,
  width: number({ nullable: true, description: "Points; null on pages that a version before 0.3 read" }),
  height: number({ nullable: true, description: "Points; null on pages that a version before 0.3 read" }),
  tables: countRule,
  ...pageFields,
  parts: array(
    object("FoundPart", {
      row: string({ description: "Id of the row as it is now, with which it is corrected" }),
      ...foundPartFields,
      reference: rowFields.reference,
      models: rowFields.models,
      figure: string({ nullable: true, description: "Label of its figure, else its title" }),
      named_in: oneOf(["text", "supersessions"], {
        nullable: true,
        description: "Where it is named if not in a list of parts",
      }),
      correction: string({ nullable: true, description: "Id of the correction that it has" }),
    }),
    { description: "As many as fit into an answer" },
  ),
  figures: array(
    object("FoundFigure", {
      figure: string({ description: "Id of the figure as it is now, with which it is corrected" }),
      label: string(),
      title: string(),
      correction: string({ nullable: true, description: "Id of the correction that it has" }),
    }),
  ),
  corrections: array(correctionRule, { description: "Of this page" }),
});

const figureRule = object("Figure", {
  label: string({ description: "As printed; empty where it has a title alone" }),
  title: string(),
  page: countRule,
  images: array(countRule, { description: "The page's images that show it, by index" }),
  callouts: array(string(), { description: "Reference numbers that are drawn in it" }),
});

const placeFields = rules({
  page: { ...countRule, description: "From 1" },
  index: { ...countRule, description: "Its number on the page, from 1" },
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
    { description: "Of the whole manual" },
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
    { optional: true, description: "The first 100 of these pages" },
  ),
  correction: oneOf(["under_way", "failed"], {
    optional: true,
    description:
      "Correction of its equipment or manufacturer, absent once it is done. If it failed, everything is as " +
      "before; until then it is under way, and some of its parts and pages may already be those after it",
  }),
  source: { ...urlRule, description: "The PDF" },
  tables: array(object("ManualTable", { ...placeFields, json: urlRule, csv: urlRule })),
  images: array(object("ManualImage", { ...placeFields, url: urlRule })),
  figures: array(figureRule),
  next: { ...countRule, optional: true, description: "The `after` of the next page; absent on the last one" },
});
