import { paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { createEventPageRule, array, boolean, integer, object, oneOf, rules, string } from "@partline/api-contracts";
import { fileAnswerRule, fileParams } from "../../broker/contract/file.ts";
import { pageNumberRule, sha256Rule } from "../shared/manual-rules.ts";
import { DRAWN_WITHIN_MS, MAX_READ_BYTES, MOST_MODELS, UPLOAD_WITHIN_MS } from "./limits.ts";
import {
  batchIdRule,
  correctionRule,
  countRule,
  equipmentRule,
  FILE_STATUSES,
  jobEventRule,
  jobPartRule,
  jobRule,
  jobSummaryRule,
  manualOverviewRule,
  manufacturerRule,
  numberRule,
  pageFindingsRule,
  pageSummaryRule,
  rowFields,
} from "./resources.ts";
import { readyWithObjects } from "../shared/routes.ts";

const internal = { entries: ["pipeline", "gateway"], access: "internal", envelope: false } as const;
const read = { ...internal, method: "GET", scope: "manuals:read" } as const;
const openFile = { ...internal, method: "GET", access: "none", answer: "file" } as const;
const fileAction = {
  result: { ...fileAnswerRule },
  errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
  timeout: 30_000,
} as const;
const workForms = [
  rules({ kind: oneOf(["take"]), batch: string(), file: string() }),
  rules({ kind: oneOf(["open"]), reading: string() }),
  rules({ kind: oneOf(["range"]), reading: string(), range: { ...countRule, description: "From 0" } }),
  rules({ kind: oneOf(["assemble"]), reading: string() }),
] as const;
const FOLLOWS =
  "The correction belongs to the file's hash and applies to every reading of it. The page shows it at once; search, " +
  "equipment and the parts desk follow within seconds, by another `document.created`. Refused with VERSION_CONFLICT " +
  "if someone else has corrected the same in the meantime.";
const correctedIdRule = string({
  pattern: /^\w{1,64}(\.\d{1,9})?$/,
  words: "an id of the page's findings",
  example: "Zk3fX0aQm1TnB7cVwY9d",
});
const pageParams = { sha256: sha256Rule, page: pageNumberRule } as const;
const rowParams = {
  ...pageParams,
  row: { ...correctedIdRule, description: "An id of the page's findings" },
} as const;
const sentRow = {
  description: { ...rowFields.description, optional: true },
  quantity: { ...rowFields.quantity, optional: true },
  reference: { ...rowFields.reference, optional: true },
  figure: { ...rowFields.figure, optional: true },
  models: { ...rowFields.models, optional: true },
} as const;
const correcting = {
  result: { ...correctionRule },
  errors: ["VALIDATION_FAILED", "NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
  audit: { object: "manual", id: "sha256", report: ["page", "correction", "part", "figure"] },
} as const;
const correctRoute = { ...internal, scope: "manuals:write", access: "admin", status: 202 } as const;
const runRule = { ...countRule, description: "Number of this reading of the file, from 1" } as const;

export const pipelineContract = defineService({
  name: "pipeline",
  summary: "Equipment manuals: reads PDFs once, page by page, into text, tables, parts and pictures",
  actions: {
    upload: {
      summary: "Upload a PDF",
      description:
        "Takes a form with the PDF as `file` (or under another name), at most 100 MB, with the fields in any order. " +
        "Answers when the file is stored, and reads it in the background. Each file is read once, regardless of the " +
        "sender: if it was read before, the answer is `completed`. For a new file, `equipment` (once or several " +
        "times) and `manufacturer` override what the manual says. For a known file they change nothing, and " +
        "`not_taken` names those that differ; correct them with `PATCH /api/manuals/{sha256}`. An upload slower " +
        "than 16 KiB in 30 seconds is cut off. While a failed or removed file is being deleted, its upload is " +
        "refused with VERSION_CONFLICT; repeat it a moment later.",
      params: { contentType: string({ max: 500 }) },
      result: object("Upload", {
        batch_id: batchIdRule,
        job_id: string({ description: "Id of the work on this file; equal files have the same id" }),
        filename: string(),
        sha256: sha256Rule,
        status: oneOf(FILE_STATUSES),
        not_taken: array(oneOf(["equipment", "manufacturer"]), {
          optional: true,
          description: "Fields that were ignored because the file is known with other values",
        }),
      }),
      errors: [
        "VALIDATION_FAILED",
        "VERSION_CONFLICT",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "SERVICE_UNAVAILABLE",
        "TIMEOUT",
      ],
      audit: { object: "manual", id: "sha256", report: ["batch_id", "filename", "status"] },
      http: [
        {
          method: "POST",
          path: "/api/upload-pdf",
          scope: "manuals:write",
          ...internal,
          status: 202,
          body: "stream",
          maxAnnounced: MAX_READ_BYTES,
          consumes: ["multipart/form-data"],
          form: {
            file: { name: "file", type: "application/pdf" },
            fields: {
              equipment: array(equipmentRule, {
                max: MOST_MODELS,
                optional: true,
                description: "Models that the manual is for; repeat the field for each",
              }),
              manufacturer: { ...manufacturerRule, optional: true },
            },
          },
        },
      ],
      bulkhead: { concurrency: 32, maxQueueSize: 64 },
      timeout: UPLOAD_WITHIN_MS,
    },

    processBucket: {
      summary: "Read PDFs from the object store",
      description:
        "Reads the objects whose key begins with `prefix` and ends with .pdf, in the order of their keys, and leaves " +
        "them in place. If there are more than `limit`, send `next` of the answer as `after` to read more.",
      params: {
        prefix: string({
          max: 200,
          pattern: /^[^.\\/\p{Cc}][^\\/\p{Cc}]*(\/[^.\\/\p{Cc}][^\\/\p{Cc}]*)*\/?$/u,
          words:
            "a folder of the object store: names with slashes between them that do not begin with a dot and have " +
            "neither backslashes nor control characters",
          default: "incoming/",
          description: "A folder of the store, with or without a final slash",
        }),
        after: string({
          max: 1_024,
          optional: true,
          description: "A key below the folder; only objects after it are read",
        }),
        limit: integer({ min: 1, max: 500, default: 100 }),
      },
      result: object("Batch", {
        batch_id: batchIdRule,
        total: { ...countRule, description: "Number of files in this job" },
        next: string({ optional: true, description: "The `after` of the next page; absent on the last one" }),
      }),
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
      once: true,
      audit: { object: "job", id: "batch_id", report: ["prefix", "total"] },
      http: [{ method: "POST", path: "/api/process-bucket-pdfs", scope: "manuals:write", ...internal, status: 202 }],
      timeout: 60_000,
    },

    jobs: {
      summary: "List jobs, newest first",
      description: "Lists only the names of the files. Get a job by its id for the rest.",
      params: pagingParams,
      result: object("JobList", { jobs: array(jobSummaryRule), pagination: paginationRule }),
      errors: [],
      http: [{ ...read, path: "/api/jobs" }],
    },

    job: {
      summary: "Get a job with its files",
      params: { batch_id: batchIdRule },
      result: { ...jobRule },
      errors: ["NOT_FOUND"],
      http: [{ ...read, path: "/api/jobs/{batch_id}" }],
    },

    jobParts: {
      summary: "List the parts found in the files of a job",
      description:
        "Sorted by file in the order of the job, then by page. A file is left out until it is read completely.",
      params: { batch_id: batchIdRule, ...pagingParams },
      result: object("JobPartList", { parts: array(jobPartRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/jobs/{batch_id}/parts" }],
    },

    cancel: {
      summary: "Cancel a job",
      description:
        "Stops reading its files, except those that another job waits for. A job that has ended does not change.",
      params: { batch_id: batchIdRule },
      result: { ...jobRule },
      errors: ["NOT_FOUND"],
      audit: { object: "job", id: "batch_id", read: "job" },
      http: [{ method: "DELETE", path: "/api/jobs/{batch_id}", scope: "manuals:write", ...internal }],
    },

    jobEvents: {
      summary: "Follow the progress of a job",
      description: "Sends the progress now and at each change. The stream ends after a final status.",
      params: {
        batch_id: batchIdRule,
        after: integer({ min: 0, optional: true, description: "A position; only later events are sent" }),
      },
      result: createEventPageRule(jobEventRule),
      errors: ["NOT_FOUND"],
      http: [
        {
          ...read,
          path: "/api/jobs/{batch_id}/events",
          answer: "event-stream",
          wokenBy: "pipeline.progressed",
        },
      ],
    },

    overview: {
      summary: "Get a manual's content and its links",
      description:
        "Lists its tables (each as JSON and as CSV), images and figures in the order of its pages, as many as fit " +
        "into an answer. A page's text is at `/api/manuals/{sha256}/pages/{page}.txt`, its picture at " +
        "`/pages/{page}.webp`, and the callouts of its drawings are at `/pages/{page}`.",
      params: {
        sha256: sha256Rule,
        after: {
          ...countRule,
          min: 0,
          default: 0,
          description: "Number of tables, images and figures to skip: `next` of the previous answer",
        },
      },
      result: { ...manualOverviewRule },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ method: "GET", path: "/api/manuals/{sha256}", ...internal, access: "none" }],
      timeout: 30_000,
    },

    correct: {
      summary: "Correct which equipment a manual is for, or who made it",
      description:
        "An omitted field does not change; null restores what the manual says. The correction applies to every " +
        "reading of the file. The manual is assembled again in the background; until then, its `correction` is " +
        "`under_way`. Search, equipment and the parts desk follow within seconds, by another `document.created`. " +
        "Refused with VERSION_CONFLICT while another correction is under way.",
      params: {
        sha256: sha256Rule,
        equipment: array(equipmentRule, {
          min: 1,
          max: MOST_MODELS,
          optional: true,
          nullable: true,
          example: ["GT-2254"],
        }),
        manufacturer: { ...manufacturerRule, optional: true, nullable: true },
      },
      result: object("CorrectedManual", {
        sha256: sha256Rule,
        equipment: array(equipmentRule, {
          nullable: true,
          description: "The new value; null: what the manual says",
        }),
        manufacturer: { ...manufacturerRule, nullable: true, description: "The new value; null: what the manual says" },
      }),
      errors: ["VALIDATION_FAILED", "NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "manual", id: "sha256", read: "overview" },
      http: [
        {
          method: "PATCH",
          path: "/api/manuals/{sha256}",
          scope: "manuals:write",
          ...internal,
          status: 202,
          access: "admin",
        },
      ],
    },

    pages: {
      summary: "List the pages of a manual: what was read of each, what was not, and why",
      description:
        "Pages that need a look come first, then those that OCR has yet to read, then the others, each group in the " +
        "manual's order.",
      params: { sha256: sha256Rule, ...pagingParams },
      result: object("ManualPageList", { pages: array(pageSummaryRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/pages" }],
    },

    corrections: {
      summary: "List the corrections of a manual",
      params: { sha256: sha256Rule, ...pagingParams },
      result: object("CorrectionList", { corrections: array(correctionRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/corrections" }],
    },

    addPart: {
      summary: "Add a part that was not read to a page of a manual",
      description:
        "Without `figure`, the part gets that of the row before it by reference, else that of the page. " + FOLLOWS,
      params: { ...pageParams, part_number: numberRule, ...sentRow },
      ...correcting,
      once: true,
      http: [{ ...correctRoute, method: "POST", path: "/api/manuals/{sha256}/pages/{page}/parts" }],
    },

    correctPart: {
      summary: "Correct a row of a manual",
      description:
        "An omitted field keeps the value that was read; null removes it. A part fits the models in `models`, else " +
        "those of its page; a `quantity` without `models` applies to all of them. " +
        FOLLOWS,
      params: { ...rowParams, part_number: { ...numberRule, optional: true }, ...sentRow },
      ...correcting,
      http: [{ ...correctRoute, method: "PATCH", path: "/api/manuals/{sha256}/pages/{page}/parts/{row}" }],
    },

    removePart: {
      summary: "Remove a row of a manual that is not a part",
      description: FOLLOWS,
      params: rowParams,
      ...correcting,
      http: [{ ...correctRoute, method: "DELETE", path: "/api/manuals/{sha256}/pages/{page}/parts/{row}" }],
    },

    correctFigure: {
      summary: "Correct the label or the title of a figure on a page",
      description: `The figure's parts and callouts follow. ${FOLLOWS}`,
      params: {
        ...pageParams,
        figure: { ...correctedIdRule, description: "An id of the page's findings" },
        label: string({ max: 40, optional: true }),
        title: string({ max: 200, optional: true }),
      },
      ...correcting,
      http: [{ ...correctRoute, method: "PATCH", path: "/api/manuals/{sha256}/pages/{page}/figures/{figure}" }],
    },

    confirmPage: {
      summary: "Confirm that a page of a manual was read correctly, or has no parts",
      description:
        "The page then needs no look, like every page with a correction. Withdraw it as you withdraw a correction.",
      params: pageParams,
      ...correcting,
      http: [{ ...correctRoute, method: "PUT", path: "/api/manuals/{sha256}/pages/{page}/confirmed" }],
    },

    withdrawCorrection: {
      summary: "Withdraw a correction, which restores what was read",
      params: { sha256: sha256Rule, correction: correctedIdRule },
      ...correcting,
      http: [{ ...correctRoute, method: "DELETE", path: "/api/manuals/{sha256}/corrections/{correction}" }],
    },

    readAgain: {
      summary: "Read a manual again",
      description:
        "A newer version may read more of it. The manual is removed, and back when the job of the answer has read it; " +
        "search, equipment and the parts desk follow. Corrections stay, and so do the equipment and the manufacturer " +
        "that its sender named. If that job is cancelled before it begins, the manual stays removed.",
      params: { sha256: sha256Rule },
      result: object("ManualReadAgain", { batch_id: batchIdRule }),
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      once: true,
      audit: { object: "manual", id: "sha256", report: ["batch_id"] },
      http: [
        {
          method: "POST",
          path: "/api/manuals/{sha256}/readings",
          scope: "manuals:write",
          ...internal,
          status: 202,
          access: "admin",
        },
      ],
      timeout: 60_000,
    },

    remove: {
      summary: "Remove a manual",
      description:
        "Its content is gone at once, and reading it stops. A job that was reading the file shows it as cancelled; a " +
        "job that had read it, as `removed`. Search, equipment and the parts desk forget it within seconds, by the " +
        "event `document.deleted`; then its files and the PDF are deleted. Uploading the file again reads it again, " +
        "but is refused with VERSION_CONFLICT while its files are being deleted. Corrections are kept, and apply to " +
        "a new upload. Browsers may show the content for five more minutes, and the PDF for as long as they cache it.",
      params: { sha256: sha256Rule },
      result: object("RemovedManual", { deleted: boolean() }),
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "manual", id: "sha256", report: ["deleted"] },
      http: [{ method: "DELETE", path: "/api/manuals/{sha256}", scope: "manuals:write", ...internal, access: "admin" }],
    },

    source: {
      summary: "Get the PDF of a manual",
      params: { sha256: sha256Rule, ...fileParams },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/source.pdf", produces: ["application/pdf"] }],
    },

    image: {
      summary: "Get an image of a page of a manual",
      params: {
        sha256: sha256Rule,
        image: string({
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.webp$/,
          words: "PAGE-INDEX.webp",
          example: "7-1.webp",
          description: "The page and the number of the image on it, both from 1",
        }),
        ...fileParams,
      },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/images/{image}", produces: ["image/webp"] }],
    },

    table: {
      summary: "Get a table of a manual as CSV or JSON",
      description:
        "CSV follows RFC 4180; text that a spreadsheet would run as a formula begins with an apostrophe. JSON has " +
        "`rows` " +
        '(of cells, empty ones as ""), `headerRows` (how many of them name the columns), the table\'s place and, as ' +
        "`boxes`, those of its cells, in points from the top left corner of the page.",
      params: {
        sha256: sha256Rule,
        table: string({
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.(csv|json)$/,
          words: "PAGE-INDEX.csv or PAGE-INDEX.json",
          example: "7-1.csv",
          description: "The page and the number of the table on it, both from 1",
        }),
        ...fileParams,
      },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/tables/{table}", produces: ["text/csv", "application/json"] }],
    },

    pageImage: {
      summary: "Get a page of a manual as a picture",
      description:
        "The picture is drawn at the first request and then kept. A page that takes more than 10 seconds is 404 for " +
        "an hour.",
      params: {
        sha256: sha256Rule,
        page: pageNumberRule,
        view: oneOf(["page", "drawing"], {
          default: "page",
          description: "`drawing`: small, without the list and the blank paper around",
        }),
        ...fileParams,
      },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/pages/{page}.webp", produces: ["image/webp"] }],
      timeout: DRAWN_WITHIN_MS,
    },

    pageText: {
      summary: "Get the text of a page of a manual",
      description: "The visible text, line by line.",
      params: { sha256: sha256Rule, page: pageNumberRule, ...fileParams },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/pages/{page}.txt", produces: ["text/plain"] }],
    },

    pageFindings: {
      summary: "Get what was read on a page of a manual, what was not and why, and its corrections",
      description:
        "Places are in points from the top left corner, as in a table's JSON (`/tables/{page}-{index}.json`, with an " +
        "index from 1 to `tables`). `/pages/{page}.webp` is the page as a picture.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: { ...pageFindingsRule },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/pages/{page}/findings" }],
    },

    drawPage: {
      summary: "Draw a page that has no stored picture yet",
      description: "Does the work of `pageImage`. A call is refused if too many wait.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: object({}),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      bulkhead: { concurrency: 1, maxQueueSize: 32 },
      timeout: DRAWN_WITHIN_MS,
      idempotent: true,
    },

    ready: readyWithObjects,
  },

  channels: {
    "document.created": {
      summary:
        "A manual was read, recognised by OCR, or corrected. The event id is `manual_` and the SHA-256; then, if " +
        "any, `-` and the number of a later reading, `-recognised` after OCR, or `-corrected-` and the number of a " +
        "correction (also of one that failed and was undone)",
      recorded: { aggregate: "document", prefixes: ["manual_"], id: ["sha256"] },
      payload: {
        sha256: string(),
        run: runRule,
        filename: string(),
        equipment: array(equipmentRule),
        manufacturer: { ...manufacturerRule, optional: true },
        pages: countRule,
        parts: countRule,
        tables: countRule,
        images: countRule,
        object_prefix: string({ description: "Prefix of its results in the object store" }),
        embedding_model: string({
          description: "The sentence model that embeds its text for the parts desk; `lexical` if none is configured",
        }),
      },
    },
    "document.deleted": {
      summary: "A manual was removed. If it was uploaded again since, its `run` is higher",
      recorded: { aggregate: "document", prefixes: ["manual_"], id: ["sha256"] },
      payload: { sha256: string(), run: runRule, deleted_at: string({ description: "ISO 8601" }) },
    },
  },

  tasks: {
    "pipeline.work": {
      summary: "Fetches or opens the file of a manual, reads ten of its pages, or assembles it, in a slot of a node",
      payload: workForms,
    },
    "pipeline.recognition": {
      summary:
        "Reads a page of a manual by OCR after all other pages; without a page, assembles the manual with what OCR " +
        "read",
      payload: { reading: string(), page: { ...countRule, optional: true } },
    },
    "pipeline.removal": {
      summary: "Deletes the data of a removed manual, or of a file that failed or was cancelled; needs no slot",
      payload: { reading: string() },
    },
  },
});
