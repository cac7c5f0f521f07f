import { rule, rules } from "../../broker/contract/rules.ts";

/** Source: design, Document pipeline. */
const JOB_STATUSES = ["queued", "processing", "completed", "partially_failed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const FILE_STATUSES = JOB_STATUSES;
export type FileStatus = JobStatus;

export const sha256Rule = rule({
  type: "string",
  pattern: /^[0-9a-f]{64}$/,
  words: "64 hexadecimal digits",
  description: "SHA-256 of the PDF",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});
export const batchIdRule = rule({
  type: "string",
  pattern: /^batch_[0-9A-HJKMNP-TV-Z]{26}$/,
  example: "batch_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
});
export const pageNumberRule = rule({ type: "number", integer: true, min: 1, max: 100_000 });
export const countRule = rule({ type: "number", integer: true });
const urlRule = rule({ type: "string", format: "uri" });
const doneOfTotal = (what: string) =>
  ({
    type: "object",
    description: what,
    props: { done: countRule, total: countRule },
  }) as const;

export const equipmentRule = rule({ type: "string", min: 1, max: 100, example: "GT-2254" });
export const manufacturerRule = rule({ type: "string", min: 1, max: 100, example: "Kohler" });

const progressRule = rule({
  type: "object",
  title: "JobProgress",
  props: {
    files: doneOfTotal("Files that are done"),
    pages: doneOfTotal("Of the files whose number of pages is known"),
    percent: {
      type: "number",
      integer: true,
      description:
        "Share of the pages that are done, 0 to 100; 100 when nothing is left to do. A cancelled job keeps " +
        "the value that it reached",
    },
    eta_seconds: {
      type: "number",
      integer: true,
      nullable: true,
      description: "Estimated from the pages read so far; null before the first",
    },
  },
});

const SCANNED = "Pages that are pictures without text; only OCR can read them";

const fileRule = rule({
  type: "object",
  title: "JobFile",
  props: {
    name: { type: "string" },
    sha256: { type: "string", nullable: true, description: "null until a file of a bucket is read" },
    status: { type: "enum", values: FILE_STATUSES },
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
    removed: {
      type: "boolean",
      optional: true,
      description: "true if the manual was removed since: the status is the last one that it had",
    },
    error: { type: "string", optional: true, description: "Why it failed, or which pages could not be read and why" },
  },
});

const jobFields = rules({
  batch_id: { type: "string" },
  status: { type: "enum", values: JOB_STATUSES },
  progress: progressRule,
  created_at: { type: "date" },
  updated_at: { type: "date" },
  expires_at: { type: "date", description: "It cannot be read after that; the manuals stay" },
});

export const jobSummaryRule = rule({
  type: "object",
  title: "JobSummary",
  props: {
    ...jobFields,
    file_names: {
      type: "array",
      items: { type: "string" },
      description: "Of its first 10 files; `progress.files.total` is how many there are",
    },
  },
});
export const jobRule = rule({
  type: "object",
  title: "Job",
  props: { ...jobFields, files: { type: "array", items: fileRule } },
});

export const jobEventRule = rule({
  type: "object",
  title: "JobEvent",
  props: {
    position: countRule,
    batch_id: { type: "string" },
    status: { type: "enum", values: JOB_STATUSES },
    progress: progressRule,
  },
});

const boxFields = rules({
  x: { type: "number" },
  y: { type: "number" },
  width: { type: "number" },
  height: { type: "number" },
});

export const jobPartRule = rule({
  type: "object",
  title: "JobPart",
  props: {
    part_number: {
      type: "string",
      description:
        "As printed, but a number of this shop's own (`CT-VNT-801973`) as its maker's, which is what the catalog has",
    },
    pattern: { type: "string", description: "Family of numbers that recognised it" },
    confidence: { type: "number", description: "0 to 1" },
    page: countRule,
    bbox: {
      type: "object",
      title: "PageBox",
      description: "Points from the top left corner of the page as seen",
      props: boxFields,
    },
    quantity: {
      type: "number",
      nullable: true,
      description: "Quantity that the equipment has; null if the page does not say, or its models differ",
    },
    description: { type: "string", nullable: true },
    file: { type: "string", description: "Name of the file" },
  },
});

const manualFields = rules({
  sha256: { type: "string" },
  filename: { type: "string" },
  title: { type: "string" },
  equipment: { type: "array", items: { type: "string" } },
  manufacturer: { type: "string", optional: true },
  pages: countRule,
});
const figureRule = rule({
  type: "object",
  title: "Figure",
  props: {
    label: { type: "string", description: "As printed; empty where it has a title alone" },
    title: { type: "string" },
    page: countRule,
    images: { type: "array", items: countRule, description: "Those of its page that show it, by index" },
    callouts: { type: "array", items: { type: "string" }, description: "Reference numbers that are drawn in it" },
  },
});

const placeFields = rules({
  page: { ...countRule, description: "From 1" },
  index: { ...countRule, description: "Which of its page, from 1" },
});

export const manualOverviewRule = rule({
  type: "object",
  title: "ManualOverview",
  props: {
    ...manualFields,
    counts: {
      type: "object",
      title: "ManualCounts",
      description: "Of the whole manual",
      props: { parts: countRule, tables: countRule, images: countRule, figures: countRule },
    },
    pages_scanned: { ...countRule, optional: true, description: SCANNED },
    correction: {
      type: "enum",
      values: ["under_way", "failed"],
      optional: true,
      description:
        "Correction of its equipment or manufacturer, absent once it is done: until then, and if it failed, " +
        "the other fields show the values before",
    },
    source: { ...urlRule, description: "The PDF" },
    tables: {
      type: "array",
      items: {
        type: "object",
        title: "ManualTable",
        props: { ...placeFields, json: urlRule, csv: urlRule },
      },
    },
    images: {
      type: "array",
      items: {
        type: "object",
        title: "ManualImage",
        props: { ...placeFields, url: urlRule },
      },
    },
    figures: { type: "array", items: figureRule },
    next: { ...countRule, optional: true, description: "The `after` of what follows; not there at the end" },
  },
});
