import { paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { createEventPageRule } from "../../broker/contract/event-stream.ts";
import { fileAnswerRule, fileParams } from "../../broker/contract/file.ts";
import { array, boolean, integer, object, oneOf, rules, string } from "../../broker/contract/rules.ts";
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
  "The correction is kept by the hash of the file, and holds for every reading of it. The page has it at once; search, " +
  "equipment and the parts desk follow within seconds, by another `document.created`. Refused with VERSION_CONFLICT if " +
  "somebody else has corrected the same meanwhile.";
const correctedIdRule = string({
  pattern: /^\w{1,64}(\.\d{1,9})?$/,
  words: "an id of the page's findings",
  example: "Zk3fX0aQm1TnB7cVwY9d",
});
const pageParams = { sha256: sha256Rule, page: pageNumberRule } as const;
const rowParams = {
  ...pageParams,
  row: { ...correctedIdRule, description: "As the page's findings have it" },
} as const;
const sentRow = {
  description: { ...rowFields.description, optional: true },
  quantity: { ...rowFields.quantity, optional: true },
  reference: { ...rowFields.reference, optional: true },
  models: { ...rowFields.models, optional: true },
} as const;
const correcting = {
  result: { ...correctionRule },
  errors: ["VALIDATION_FAILED", "NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
  audit: { object: "manual", id: "sha256", report: ["page", "correction", "part", "figure"] },
} as const;
const correctRoute = { ...internal, scope: "manuals:write", access: "admin", status: 202 } as const;
const runRule = { ...countRule, description: "Which reading of the file it is, from 1" } as const;

export const pipelineContract = defineService({
  name: "pipeline",
  summary: "Equipment manuals: PDFs are read once, page by page, into text, tables, parts and pictures",
  actions: {
    upload: {
      summary: "Upload a PDF",
      description:
        "A form with the PDF as `file` or under another name, at most 100 MB; the fields may come in any order. The response comes " +
        "when the file is stored; it is read in the background. The same bytes are one piece of work, " +
        "regardless of the sender: a file that was read before is answered as completed. For a new file, " +
        "`equipment` (once or several times) and `manufacturer` override what the manual says about itself. " +
        "For a known file they change nothing: `not_taken` names those that differ (`PATCH " +
        "/api/manuals/{sha256}` corrects them). An upload slower than 16 KiB in 30 seconds is cut off. While " +
        "the remains of a failed or removed file are being deleted, the upload is refused with " +
        "VERSION_CONFLICT; repeat it a moment later.",
      params: { contentType: string({ max: 500 }) },
      result: object("Upload", {
        batch_id: batchIdRule,
        job_id: string({ description: "Id of the work on this file; the same bytes have the same id" }),
        filename: string(),
        sha256: sha256Rule,
        status: oneOf(FILE_STATUSES),
        not_taken: array(oneOf(["equipment", "manufacturer"]), {
          optional: true,
          description: "Fields that were ignored, because the file is known with other values",
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
                description: "Models that the manual is for, each a field of its own",
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
      summary: "Read the PDFs that are in the object store",
      description:
        "Reads the objects whose key begins with `prefix` and ends with .pdf, in the order of their keys; " +
        "they stay in place. If there are more than `limit`, a request with the `next` of the answer as " +
        "`after` reads those that follow.",
      params: {
        prefix: string({
          max: 200,
          pattern: /^[^.\\/\p{Cc}][^\\/\p{Cc}]*(\/[^.\\/\p{Cc}][^\\/\p{Cc}]*)*\/?$/u,
          words:
            "a folder of the object store: names with slashes between them that do not begin with a dot and have neither backslashes nor control characters",
          default: "incoming/",
          description: "A folder of the store, with its slash or without",
        }),
        after: string({
          max: 1_024,
          optional: true,
          description: "A key below the folder: only objects behind it are read",
        }),
        limit: integer({ min: 1, max: 500, default: 100 }),
      },
      result: object("Batch", {
        batch_id: batchIdRule,
        total: { ...countRule, description: "Files of this job" },
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
      description: "Lists only the names of the files; get a job by its id for the rest.",
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
      summary: "List the parts that were found in the files of a job",
      description:
        "File by file in the order of the job, and in a file in the order of its pages. A file that is not " +
        "completely read yet has none.",
      params: { batch_id: batchIdRule, ...pagingParams },
      result: object("JobPartList", { parts: array(jobPartRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/jobs/{batch_id}/parts" }],
    },

    cancel: {
      summary: "Cancel a job",
      description:
        "Stops reading its files, unless another job waits for the same file. A job that has ended stays as " +
        "it is.",
      params: { batch_id: batchIdRule },
      result: { ...jobRule },
      errors: ["NOT_FOUND"],
      audit: { object: "job", id: "batch_id", read: "job" },
      http: [{ method: "DELETE", path: "/api/jobs/{batch_id}", scope: "manuals:write", ...internal }],
    },

    jobEvents: {
      summary: "Follow the progress of a job",
      description: "Sends the progress now and at each change. After a final status the stream ends.",
      params: {
        batch_id: batchIdRule,
        after: integer({ min: 0, optional: true, description: "A position; events up to it are not sent again" }),
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
        "Lists its tables (each as JSON and as CSV), images and figures in the order of its pages, as many as " +
        "fit into an answer. The text of a page is at `/api/manuals/{sha256}/pages/{page}.txt`, its picture " +
        "at `/pages/{page}.webp`, and where the callouts of its drawings are at `/pages/{page}`.",
      params: {
        sha256: sha256Rule,
        after: {
          ...countRule,
          min: 0,
          default: 0,
          description: "Number of tables, images and figures to skip: the `next` of the answer before",
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
        "An omitted field stays; null restores what the manual itself says. It holds for every reading of the file. The manual is assembled again in " +
        "the background, and its `correction` is `under_way` until then. Search, equipment and the parts desk " +
        "follow within seconds, by another `document.created`. Refused with VERSION_CONFLICT while another " +
        "correction is under way.",
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
          description: "The new value; null restores what the manual itself says",
        }),
        manufacturer: { ...manufacturerRule, nullable: true, description: "The same" },
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
      summary: "List the pages of a manual: what was read of each, what was not and why",
      description:
        "Pages that need a look come first, then those that OCR still reads, then the others, each in the manual's order.",
      params: { sha256: sha256Rule, ...pagingParams },
      result: object("ManualPageList", { pages: array(pageSummaryRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/pages" }],
    },

    corrections: {
      summary: "List what staff corrected in a manual",
      params: { sha256: sha256Rule, ...pagingParams },
      result: object("CorrectionList", { corrections: array(correctionRule), pagination: paginationRule }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/corrections" }],
    },

    addPart: {
      summary: "Add a part that was not read to a page of a manual",
      description: `Its figure is that of the row before it by reference, or of the page. ${FOLLOWS}`,
      params: { ...pageParams, part_number: numberRule, ...sentRow },
      ...correcting,
      once: true,
      http: [{ ...correctRoute, method: "POST", path: "/api/manuals/{sha256}/pages/{page}/parts" }],
    },

    correctPart: {
      summary: "Correct a row of a manual",
      description:
        "An omitted field stays as it is read, null takes its value away; `row` is that of the page's findings. A part is on the " +
        "models that `models` names, else on those of its page; with a `quantity` alone it has that on all of them. " +
        FOLLOWS,
      params: { ...rowParams, part_number: { ...numberRule, optional: true }, ...sentRow },
      ...correcting,
      http: [{ ...correctRoute, method: "PATCH", path: "/api/manuals/{sha256}/pages/{page}/parts/{row}" }],
    },

    removePart: {
      summary: "Remove a row of a manual that is no part",
      description: FOLLOWS,
      params: rowParams,
      ...correcting,
      http: [{ ...correctRoute, method: "DELETE", path: "/api/manuals/{sha256}/pages/{page}/parts/{row}" }],
    },

    correctFigure: {
      summary: "Correct the label or the title of a figure on a page",
      description: `Parts and callouts of the figure follow. ${FOLLOWS}`,
      params: {
        ...pageParams,
        figure: { ...correctedIdRule, description: "As the page's findings have it" },
        label: string({ max: 40, optional: true }),
        title: string({ max: 200, optional: true }),
      },
      ...correcting,
      http: [{ ...correctRoute, method: "PATCH", path: "/api/manuals/{sha256}/pages/{page}/figures/{figure}" }],
    },

    confirmPage: {
      summary: "Say that a page of a manual is right as it is read, or has no parts",
      description:
        "It needs no look any more, as every page on which something is corrected. Withdrawn as a correction.",
      params: pageParams,
      ...correcting,
      http: [{ ...correctRoute, method: "PUT", path: "/api/manuals/{sha256}/pages/{page}/confirmed" }],
    },

    withdrawCorrection: {
      summary: "Withdraw a correction: what was read counts again",
      params: { sha256: sha256Rule, correction: correctedIdRule },
      ...correcting,
      http: [{ ...correctRoute, method: "DELETE", path: "/api/manuals/{sha256}/corrections/{correction}" }],
    },

    remove: {
      summary: "Remove a manual",
      description:
        "What staff corrected in it is kept, for the case that the file is uploaded again. Its content is gone at once, and reading it stops. A job that was reading the file shows it as " +
        "cancelled; a job that had read it, as `removed`. Search, equipment and the parts desk forget it " +
        "within seconds, by the event `document.deleted`; then its files and the PDF are deleted. Uploading " +
        "it again reads it again, but is refused with VERSION_CONFLICT while its files are being deleted. " +
        "Browsers may show its content for five more minutes, and its PDF for as long as they cache it.",
      params: { sha256: sha256Rule },
      result: object("RemovedManual", { deleted: boolean() }),
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "manual", id: "sha256", report: ["deleted"] },
      http: [{ method: "DELETE", path: "/api/manuals/{sha256}", scope: "manuals:write", ...internal, access: "admin" }],
    },

    source: {
      summary: "Get the PDF of a manual that was read",
      params: { sha256: sha256Rule, ...fileParams },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/source.pdf", produces: ["application/pdf"] }],
    },

    image: {
      summary: "Get an image that a page of a manual shows",
      params: {
        sha256: sha256Rule,
        image: string({
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.webp$/,
          words: "PAGE-INDEX.webp",
          example: "7-1.webp",
          description: "Page, and which of its images, both from 1",
        }),
        ...fileParams,
      },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/images/{image}", produces: ["image/webp"] }],
    },

    table: {
      summary: "Get a table of a manual as CSV or JSON",
      description:
        'CSV as RFC 4180 has it; what a spreadsheet would take for a formula begins with an apostrophe. The JSON has `rows` (of cells, empty ones as ""), `headerRows` ' +
        "(how many of them name the columns), and in points from the top left corner of the page its own place and, as `boxes`, those of its cells.",
      params: {
        sha256: sha256Rule,
        table: string({
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.(csv|json)$/,
          words: "PAGE-INDEX.csv or PAGE-INDEX.json",
          example: "7-1.csv",
          description: "Page, and which of its tables, both from 1",
        }),
        ...fileParams,
      },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/tables/{table}", produces: ["text/csv", "application/json"] }],
    },

    pageImage: {
      summary: "Get a page of a manual as a picture",
      description:
        "It is drawn at the first request, and kept. A page that cannot be drawn within 10 seconds is 404 for an hour.",
      params: { sha256: sha256Rule, page: pageNumberRule, ...fileParams },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/pages/{page}.webp", produces: ["image/webp"] }],
      timeout: DRAWN_WITHIN_MS,
    },

    pageText: {
      summary: "Get the text of a page of a manual",
      description: "What a person reads on the page, in lines.",
      params: { sha256: sha256Rule, page: pageNumberRule, ...fileParams },
      ...fileAction,
      http: [{ ...openFile, path: "/api/manuals/{sha256}/pages/{page}.txt", produces: ["text/plain"] }],
    },

    pageFindings: {
      summary: "Get what was read on a page of a manual, what was not and why, and what staff corrected",
      description:
        "Places are in points from the top left corner, as those of a table's JSON (`/tables/{page}-{index}.json`, from 1 to " +
        "`tables`); `/pages/{page}.webp` is the page.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: { ...pageFindingsRule },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...read, path: "/api/manuals/{sha256}/pages/{page}/findings" }],
    },

    drawPage: {
      summary: "Draw a page that is not kept as a picture yet",
      description: "The work behind `pageImage`; a call is refused when too many wait.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: object({}),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      bulkhead: { concurrency: 1, maxQueueSize: 32 },
      timeout: DRAWN_WITHIN_MS,
      idempotent: true,
    },

    ready: {
      summary: "Fail while the object store cannot be used",
      params: {},
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
      idempotent: true,
    },
  },

  channels: {
    "document.created": {
      summary:
        "A manual was read, or corrected; its event id is `manual_` and its SHA-256, after another reading of the same file a dash and which reading it is, and after a correction, also one that failed and was undone, `-corrected-` and its number; once OCR has read the rest of its pages, its SHA-256, which reading it is and `-recognised`",
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
        object_prefix: string({ description: "Where its results are in the object store" }),
        embedding_model: string({
          description: "The sentence model that embeds its text for the parts desk; `lexical` where none is configured",
        }),
      },
    },
    "document.deleted": {
      summary: "A manual was removed. If it has been uploaded again since, its `run` is higher",
      recorded: { aggregate: "document", prefixes: ["manual_"], id: ["sha256"] },
      payload: { sha256: string(), run: runRule, deleted_at: string({ description: "ISO 8601" }) },
    },
  },

  tasks: {
    "pipeline.work": {
      summary: "Takes or opens a file of a manual, reads ten pages of it, or puts it together, in a slot of some node",
      payload: workForms,
    },
    "pipeline.recognition": {
      summary:
        "Reads a page of a manual by OCR after all others, or without a page puts the manual together with what OCR read",
      payload: { reading: string(), page: { ...countRule, optional: true } },
    },
    "pipeline.removal": {
      summary:
        "Removes what was kept of a manual that is removed, or of a file that failed or was cancelled; no slot is needed for it",
      payload: { reading: string() },
    },
  },
});
