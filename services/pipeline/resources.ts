import { rule, rules } from "../../broker/contract/rules.ts";
import { FILE_STATUSES, JOB_STATUSES } from "./statuses.ts";

/** The shapes that several actions of the pipeline take and give. */

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
const countRule = rule({ type: "number", integer: true });
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
    files: doneOfTotal("Files that are worked on no more, of all"),
    pages: doneOfTotal("Of the files whose number of pages is known"),
    percent: { type: "number", integer: true, description: "0 to 100; 100 when nothing is left to do" },
    eta_seconds: {
      type: "number",
      integer: true,
      nullable: true,
      description: "By how fast its pages went so far; null before the first is read",
    },
  },
});

const SCANNED =
  "Pages that are pictures, without text of their own: what they say is known only where OCR is switched on";

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
    error: { type: "string", optional: true, description: "Why it failed, or which pages could not be read and why" },
  },
});

const jobFields = rules({
  batch_id: { type: "string" },
  status: { type: "enum", values: JOB_STATUSES },
  progress: progressRule,
  created_at: { type: "date" },
  updated_at: { type: "date" },
  expires_at: { type: "date", description: "It cannot be asked for after that; what was read stays" },
});

export const jobSummaryRule = rule({ type: "object", title: "JobSummary", props: jobFields });
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
      description: "How many the equipment has; null where the page does not say so, or its models have different ones",
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

/** `Manual` of reading/findings.ts. */
export const manualRule = rule({
  type: "object",
  props: { ...manualFields, figures: { type: "array", items: figureRule } },
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
    source: { type: "string", format: "uri", description: "The PDF" },
    tables: {
      type: "array",
      items: {
        type: "object",
        title: "ManualTable",
        props: { ...placeFields, json: { type: "string", format: "uri" }, csv: { type: "string", format: "uri" } },
      },
    },
    images: {
      type: "array",
      items: {
        type: "object",
        title: "ManualImage",
        props: { ...placeFields, url: { type: "string", format: "uri" } },
      },
    },
    figures: { type: "array", items: figureRule },
    next: { ...countRule, optional: true, description: "The `after` of what follows; not there at the end" },
  },
});

/** `FoundPart` of reading/findings.ts. */
export const foundPartRule = rule({
  type: "object",
  props: {
    partNumber: { type: "string" },
    pnNorm: { type: "string" },
    pattern: { type: "string" },
    confidence: { type: "number" },
    vendor: { type: "string", optional: true },
    page: countRule,
    box: { type: "object", props: boxFields },
    quantity: { type: "number", optional: true },
    quantities: {
      type: "array",
      optional: true,
      items: { type: "object", props: { model: { type: "string" }, quantity: { type: "number", optional: true } } },
    },
    description: { type: "string", optional: true },
    reference: { type: "string", optional: true },
    figure: { type: "string", optional: true },
    replacedBy: { type: "string", optional: true },
    namedIn: { type: "enum", values: ["text", "supersessions"], optional: true },
  },
});

export const manualPageRule = rule({
  type: "object",
  props: {
    page: countRule,
    text: { type: "string" },
    isScanned: { type: "boolean" },
    figure: { type: "string", optional: true, description: "Key of the figure that is on it" },
    models: { type: "array", items: { type: "string" } },
  },
});
