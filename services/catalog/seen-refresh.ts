import type { TaskRun } from "../../broker/tasks/port.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { partsById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import type { PartWriter } from "./part-writer.ts";
import { type Asking, learnAnswers, pageInquiry, REFRESH_PAGE } from "./refresh.ts";
import type { SeenParts } from "./seen-parts.ts";

interface SeenRefreshDeps extends Asking {
  documents: Pick<DocumentStore, "atomically">;
  reader: PartReader;
  writer: PartWriter;
  seen: Pick<SeenParts, "told" | "page">;
  timeoutSeconds: number;
}

/**
 * Returns the work that asks the dealer about the parts that were seen, one page at a time, by id, from where an
 * earlier run was left. It resolves to whether the dealer answered about any, in time for all.
 */
export function seenRefresh({ documents, reader, writer, seen, timeoutSeconds, ...asking }: SeenRefreshDeps) {
  return async ({ signal, held, progress }: TaskRun): Promise<boolean> => {
    const deadline = new Date(Date.now() + timeoutSeconds * 1_000);
    const ask = pageInquiry(asking, { deadline, signal });
    let after = typeof progress?.after === "string" ? progress.after : "";
    let asked = 0;
    let answered = 0;
    for (;;) {
      signal.throwIfAborted();
      const ids = await seen.page(after, REFRESH_PAGE);
      if (ids.length === 0) return asked === 0 || answered > 0;
      if (deadline <= new Date()) return false;
      const page = (await partsById(reader, ids)).filter((part) => part !== undefined);
      const learnt = page.length === 0 ? [] : await learnAnswers({ writer, seen }, page, await ask(page));
      asked += page.length;
      answered += learnt.length;
      after = ids.at(-1)!;
      await documents.atomically([held({ after })]);
    }
  };
}
