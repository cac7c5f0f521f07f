import { pagingParams, paginationRule } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { eventPageRule } from "../../broker/contract/event-stream.ts";
import { fileAnswerRule, fileParams } from "../../broker/contract/file.ts";
import { DRAWN_WITHIN_MS, MAX_BATCH_FILES, MAX_READ_BYTES, MOST_MODELS, UPLOAD_WITHIN_MS } from "./limits.ts";
import {
  batchIdRule,
  equipmentRule,
  foundPartRule,
  jobEventRule,
  jobPartRule,
  jobRule,
  jobSummaryRule,
  manualOverviewRule,
  manualPageRule,
  manualRule,
  manufacturerRule,
  pageNumberRule,
  sha256Rule,
} from "./resources.ts";
import { FILE_STATUSES } from "./statuses.ts";

const internal = { entries: ["pipeline", "gateway"], access: "internal", envelope: false } as const;
const openFile = {
  method: "GET",
  entries: ["pipeline", "gateway"],
  access: "none",
  envelope: false,
  answer: "file",
} as const;
const countRule = { type: "number", integer: true } as const;

export const pipelineContract = defineService({
  name: "pipeline",
  summary: "Equipment manuals: PDFs are read once, page by page, into text, tables, parts and pictures",
  actions: {
    upload: {
      summary: "Upload a PDF",
      description:
        "A form with the PDF as `file`, at most 100 MB; the fields may come in any order. The answer comes when the file is kept; it is read in the background. The same " +
        "bytes again are one piece of work, whoever sends them: what is read already is answered as completed. `equipment` (once or several times) and " +
        "`manufacturer` count more than what the manual says of itself, where the file is not known yet; where it is, `not_taken` says which of them were " +
        "given otherwise and change nothing. An upload of less than 16 KiB in 30 seconds is cut off. While what is left of a " +
        "file that failed or was removed is going, it is refused with VERSION_CONFLICT, and can be sent again in a moment.",
      params: { contentType: { type: "string", max: 500 } },
      result: {
        type: "object",
        title: "Upload",
        props: {
          batch_id: batchIdRule,
          job_id: { type: "string", description: "Of the work on this file: the same bytes have the same" },
          filename: { type: "string" },
          sha256: sha256Rule,
          status: { type: "enum", values: FILE_STATUSES },
          not_taken: {
            type: "array",
            items: { type: "enum", values: ["equipment", "manufacturer"] },
            optional: true,
            description: "Fields that changed nothing: the file is known, with other values",
          },
        },
      },
      errors: [
        "VALIDATION_FAILED",
        "VERSION_CONFLICT",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "SERVICE_UNAVAILABLE",
        "TIMEOUT",
      ],
      http: [
        {
          method: "POST",
          path: "/api/upload-pdf",
          ...internal,
          status: 202,
          body: "stream",
          maxAnnounced: MAX_READ_BYTES,
          consumes: ["multipart/form-data"],
          form: {
            file: { name: "file", type: "application/pdf" },
            fields: {
              equipment: {
                type: "array",
                items: equipmentRule,
                max: MOST_MODELS,
                optional: true,
                description: "Models that the manual is for, each a field of its own",
              },
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
        "The objects whose key begins with `prefix` and ends with .pdf, in the order of their keys; they stay where they are.",
      params: {
        prefix: {
          type: "string",
          max: 200,
          default: "incoming/",
          description: "A folder of the store, with its slash or without",
        },
        limit: { type: "number", integer: true, min: 1, max: MAX_BATCH_FILES, default: 100 },
      },
      result: {
        type: "object",
        title: "Batch",
        props: { batch_id: batchIdRule, total: { ...countRule, description: "Files that were found" } },
      },
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
      http: [{ method: "POST", path: "/api/process-bucket-pdfs", ...internal, status: 202 }],
      timeout: 60_000,
    },

    jobs: {
      summary: "List jobs, newest first",
      description: "Without their files, which a job tells that is asked for by its id.",
      params: pagingParams,
      result: {
        type: "object",
        title: "JobList",
        props: { jobs: { type: "array", items: jobSummaryRule }, pagination: paginationRule },
      },
      errors: [],
      http: [{ method: "GET", path: "/api/jobs", ...internal }],
      idempotent: true,
    },

    job: {
      summary: "Get a job with its files",
      params: { batch_id: batchIdRule },
      result: { ...jobRule },
      errors: ["NOT_FOUND"],
      http: [{ method: "GET", path: "/api/jobs/{batch_id}", ...internal }],
      idempotent: true,
    },

    jobParts: {
      summary: "List the parts that were found in the files of a job",
      description:
        "File by file in the order of the job, and in a file in the order of its pages; of a file that is not read to its end yet, none.",
      params: { batch_id: batchIdRule, ...pagingParams },
      result: {
        type: "object",
        title: "JobPartList",
        props: { parts: { type: "array", items: jobPartRule }, pagination: paginationRule },
      },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ method: "GET", path: "/api/jobs/{batch_id}/parts", ...internal }],
      idempotent: true,
    },

    cancel: {
      summary: "Cancel a job",
      description:
        "What is not read yet is not read any more, and pages that are being read are stopped, unless another job waits for the same file. A job that has ended stays as it is.",
      params: { batch_id: batchIdRule },
      result: { ...jobRule },
      errors: ["NOT_FOUND"],
      http: [{ method: "DELETE", path: "/api/jobs/{batch_id}", ...internal }],
    },

    jobEvents: {
      summary: "Follow the progress of a job",
      description:
        "How far it is now, and again each time that it got further. When the status is one that ends a job, nothing more comes.",
      params: {
        batch_id: batchIdRule,
        after: {
          type: "number",
          integer: true,
          min: 0,
          optional: true,
          description: "A position; what is known by then is not told again",
        },
      },
      result: eventPageRule(jobEventRule),
      errors: ["NOT_FOUND"],
      http: [
        {
          method: "GET",
          path: "/api/jobs/{batch_id}/events",
          ...internal,
          answer: "event-stream",
          wokenBy: "pipeline.progressed",
        },
      ],
      idempotent: true,
    },

    overview: {
      summary: "See what was read of a manual, and where to get it",
      description:
        "Its tables (each as JSON and as CSV), images and figures in the order of its pages, as many as fit into an answer; what a page says is at " +
        "`/api/manuals/{sha256}/pages/{page}.txt`, and as a picture at `/pages/{page}.webp`.",
      params: {
        sha256: sha256Rule,
        after: {
          ...countRule,
          min: 0,
          default: 0,
          description: "So many tables, images and figures are left out: the `next` of the answer before",
        },
      },
      result: { ...manualOverviewRule },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ method: "GET", path: "/api/manuals/{sha256}", ...internal, access: "none" }],
      timeout: 30_000,
      idempotent: true,
    },

    remove: {
      summary: "Remove a manual",
      description:
        "At once nothing that was read of it can be got any more, and it is not read on; each job that has it tells its file as cancelled. What search, equipment and the " +
        "desk know of it goes within seconds, by the event `document.deleted`, and its files with the PDF after it. Sent again it is read anew: refused with " +
        "VERSION_CONFLICT while its files are going. What was made of it browsers may show for five minutes more, and its PDF for as long as they keep it.",
      params: { sha256: sha256Rule },
      result: { type: "object", title: "RemovedManual", props: { deleted: { type: "boolean" } } },
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      http: [{ method: "DELETE", path: "/api/manuals/{sha256}", ...internal, access: "admin" }],
    },

    source: {
      summary: "Get the PDF of a manual that was read",
      params: { sha256: sha256Rule, ...fileParams },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [{ ...openFile, path: "/api/manuals/{sha256}/source.pdf", produces: ["application/pdf"] }],
      timeout: 30_000,
    },

    image: {
      summary: "Get an image that a page of a manual shows",
      params: {
        sha256: sha256Rule,
        image: {
          type: "string",
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.webp$/,
          words: "PAGE-INDEX.webp",
          example: "7-1.webp",
          description: "Page, and which of its images, both from 1",
        },
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [{ ...openFile, path: "/api/manuals/{sha256}/images/{image}", produces: ["image/webp"] }],
      timeout: 30_000,
    },

    table: {
      summary: "Get a table of a manual as CSV or JSON",
      description:
        'CSV as RFC 4180 has it; what a spreadsheet would take for a formula begins with an apostrophe. The JSON has `rows` (of cells, empty ones as ""), `headerRows` ' +
        "(how many of them name the columns), and in points from the top left corner of the page its own place and, as `boxes`, those of its cells.",
      params: {
        sha256: sha256Rule,
        table: {
          type: "string",
          pattern: /^[1-9]\d{0,5}-[1-9]\d{0,5}\.(csv|json)$/,
          words: "PAGE-INDEX.csv or PAGE-INDEX.json",
          example: "7-1.csv",
          description: "Page, and which of its tables, both from 1",
        },
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [{ ...openFile, path: "/api/manuals/{sha256}/tables/{table}", produces: ["text/csv", "application/json"] }],
      timeout: 30_000,
    },

    page: {
      summary: "Get a page of a manual as a picture or as text",
      description:
        "The picture is drawn when it is first asked for, and kept. A page that cannot be drawn, or not within 10 seconds, is not found, which is remembered for an hour. " +
        "The text is what a person reads on it, in lines.",
      params: {
        sha256: sha256Rule,
        page: {
          type: "string",
          pattern: /^[1-9]\d{0,5}\.(webp|txt)$/,
          words: "PAGE.webp or PAGE.txt",
          example: "7.webp",
          description: "From 1",
        },
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT", "SERVICE_UNAVAILABLE"],
      http: [{ ...openFile, path: "/api/manuals/{sha256}/pages/{page}", produces: ["image/webp", "text/plain"] }],
      timeout: DRAWN_WITHIN_MS,
    },

    drawPage: {
      summary: "Draw a page that is not kept as a picture yet",
      description: "The work behind `page`; whoever comes when too many wait is refused.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: { type: "object", props: {} },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      bulkhead: { concurrency: 1, maxQueueSize: 32 },
      timeout: DRAWN_WITHIN_MS,
      idempotent: true,
    },

    manual: {
      summary: "What is known of a manual as a whole",
      params: { sha256: sha256Rule },
      result: { ...manualRule },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      idempotent: true,
    },

    manualParts: {
      summary: "The parts that a manual names, some at a time",
      params: {
        sha256: sha256Rule,
        after: { ...countRule, min: 0, default: 0 },
        limit: { ...countRule, min: 1, max: 200, default: 200 },
      },
      result: {
        type: "object",
        props: {
          parts: { type: "array", items: foundPartRule },
          next: { ...countRule, optional: true, description: "The `after` of what follows; not there at the end" },
        },
      },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      idempotent: true,
    },

    manualPages: {
      summary: "What the pages of a manual say, some at a time",
      description: "Of those that could be read; fewer than `limit` where their texts are long.",
      params: {
        sha256: sha256Rule,
        after: { ...countRule, min: 0, default: 0, description: "A page" },
        limit: { ...countRule, min: 1, max: 20, default: 20 },
      },
      result: {
        type: "object",
        props: {
          pages: { type: "array", items: manualPageRule },
          next: { ...countRule, optional: true, description: "The `after` of what follows; not there at the end" },
        },
      },
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      idempotent: true,
    },

    ready: {
      summary: "Fail while the object store cannot be used",
      params: {},
      result: { type: "object", props: {} },
      errors: ["SERVICE_UNAVAILABLE"],
      idempotent: true,
    },
  },

  channels: {
    "document.created": {
      summary:
        "A manual was read; its event id is `manual_` and its SHA-256, and after another reading of the same file a dash and which reading it is",
      payload: {
        sha256: { type: "string" },
        filename: { type: "string" },
        equipment: { type: "array", items: equipmentRule },
        manufacturer: { ...manufacturerRule, optional: true },
        pages: countRule,
        parts: countRule,
        tables: countRule,
        images: countRule,
        object_prefix: { type: "string", description: "Where its results are in the object store" },
      },
    },
    "document.deleted": {
      summary:
        "A manual that was read was removed. It may have been sent again since: whether it is there, the pipeline says",
      payload: { sha256: { type: "string" }, deleted_at: { type: "string", description: "ISO 8601" } },
    },
    "pipeline.work": {
      summary: "A piece of work that waits for a free slot of some node",
      payload: {
        kind: { type: "enum", values: ["take", "open", "range", "assemble"] },
        reading: { type: "string", optional: true, description: "Of all kinds but `take`" },
        range: { ...countRule, optional: true, description: "From 0" },
        batch: { type: "string", optional: true, description: "With `file`, of `take`: a file of the object store" },
        file: { type: "string", optional: true },
      },
    },
    "pipeline.removal": {
      summary: "What was kept of a manual that is removed is to go; no slot is needed for it",
      payload: { kind: { type: "enum", values: ["remove"] }, reading: { type: "string" } },
    },
  },
});
