import { ulid } from "@partline/toolkit";
import { type Infer, presentFields } from "@partline/api-contracts";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { errorCode, notFound, PartlineError } from "../../mixins/errors.ts";
import { type FileReport, NOTHING_READ, type OnProgress } from "./import-file.ts";
import { createRemark, type RemarkCode, toReason } from "./remarks.ts";
import { type importRule, importSummaryRule } from "./resources.ts";

type Import = Infer<typeof importRule>;

interface ImportDocument extends Document, Omit<Import, "importId"> {
  /** Time of the last progress note. */
  updatedAt: Date;
  expiresAt: Date;
}

const IMPORTS: CollectionDefinition = {
  name: "catalog_imports",
  fields: { startedAt: "date", updatedAt: "date", finishedAt: "date", expiresAt: "date" },
  indexes: [{ keys: { startedAt: 1 } }],
  expires: "expiresAt",
};

const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;
const SAID_EVERY_MS = 500;
/** A process that is silent for longer has ended. */
const LONGEST_SILENCE_MS = 2 * 60_000;
const MOST_LISTED = 20;

/** Imports of price files that run and those of the last 30 days, for those who did not stay until the answer. */
export function createImports(documents: DocumentStore) {
  const imports = documents.collection<ImportDocument>(IMPORTS);

  return {
    /** Keeps how far an import is, and how it ended. @param work calls back with its progress */
    async trackImport(
      { vendor, dryRun }: { vendor: string; dryRun: boolean },
      work: (onProgress: OnProgress, importId: string) => Promise<FileReport>,
    ): Promise<FileReport> {
      const startedAt = new Date();
      const _id = `import_${ulid()}`;
      const change = (fields: Partial<ImportDocument>) =>
        imports.updateOne({ _id }, { $set: { ...fields, updatedAt: new Date() } });
      await imports.insertOne({
        ...NOTHING_READ,
        _id,
        vendor,
        dryRun,
        status: "running",
        reason: null,
        startedAt,
        updatedAt: startedAt,
        finishedAt: null,
        expiresAt: new Date(startedAt.getTime() + REMEMBERED_MS),
      });
      let saidAt = 0;
      let soFar = NOTHING_READ;
      try {
        const report = await work(async (report) => {
          soFar = report;
          if (Date.now() - saidAt < SAID_EVERY_MS) return;
          saidAt = Date.now();
          const { refused: _, notes: __, remarks: ___, layout: ____, brands: _brands, ...figures } = report;
          await change(figures);
        }, _id);
        const { layout: _, ...fields } = report;
        await change({ ...fields, status: "completed", finishedAt: new Date() });
        return report;
      } catch (error) {
        // Without the note, its silence says that it failed. The caller gets the reason, not the store's.
        await change({ ...soFar, status: "failed", ...describeReason(error), finishedAt: new Date() }).catch(
          () => undefined,
        );
        throw error;
      }
    },
    async list(): Promise<Infer<typeof importSummaryRule>[]> {
      const documents = await imports.find({}, { sort: { startedAt: -1 }, limit: MOST_LISTED });
      return documents.map((document) => presentFields(importSummaryRule.props, present(document)));
    },
    async get(importId: string): Promise<Import> {
      const document = await imports.findOne({ _id: importId });
      if (!document) throw notFound("Import", importId);
      return present(document);
    },
  };
}

/** Returns why an import failed as a whole, with a code, as a row's reason has it. */
function describeReason(error: unknown): Pick<Import, "reason" | "code" | "values"> {
  const reason = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (code === undefined) return { ...toReason(createRemark("broken_off")), reason };
  const details = error instanceof PartlineError && Array.isArray(error.data) ? (error.data as Partial<Import>[]) : [];
  const [problem] = details;
  if (problem?.code !== undefined) return { reason, code: problem.code, values: problem.values };
  const isCutOff = code === "TIMEOUT" || code === "CLIENT_CLOSED_REQUEST";
  return isCutOff ? { reason, code: "file_cut_off" satisfies RemarkCode, values: {} } : { reason };
}

function present({ _id, updatedAt, expiresAt: _, ...fields }: ImportDocument): Import {
  const isLost = fields.status === "running" && Date.now() - updatedAt.getTime() > LONGEST_SILENCE_MS;
  const lost = { status: "failed", ...toReason(createRemark("process_ended")), finishedAt: updatedAt } as const;
  return { importId: _id, ...fields, ...(isLost ? lost : {}) };
}
