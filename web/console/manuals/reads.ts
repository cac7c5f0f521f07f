import type { GetListParams, RaRecord } from "react-admin";
import { pagesOf } from "../pages-of.ts";
import { partline } from "../partline.ts";

export const manualLists = {
  manuals: (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.ai.manuals(pages),
      ({ manuals }) => manuals,
      ({ sha256 }) => sha256,
    ),
  "manual-jobs": (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.pipeline.jobs(pages),
      ({ jobs }) => jobs,
      ({ batch_id }) => batch_id,
    ),
};

export const manualReaders = {
  "whole-manuals": async (sha256: string): Promise<RaRecord> => ({
    ...(await partline.pipeline.overview({ sha256 })),
    id: sha256,
  }),
  "manual-job-files": async (batch_id: string): Promise<RaRecord> => ({
    ...(await partline.pipeline.job({ batch_id })),
    id: batch_id,
  }),
  /** A page of a manual: `{sha256}/{page}`. */
  "manual-pages": async (id: string): Promise<RaRecord> => {
    const [sha256 = "", page = ""] = id.split("/");
    return { ...(await readPage(sha256, Number(page))), id };
  },
};

export type PageOfManual = Awaited<ReturnType<typeof readPage>>;

/** All that was read on a page. */
async function readPage(sha256: string, page: number) {
  const [findings, drawn] = await Promise.all([
    partline.pipeline.pageFindings({ sha256, page }),
    partline.ai.manualPage({ sha256, page }),
  ]);
  const tables = await Promise.all(
    Array.from({ length: findings.tables }, async (_, at) => {
      const table = await partline.pipeline.table({ sha256, table: `${page}-${at + 1}.json` });
      return (await table.json()) as ReadTable;
    }),
  );
  return { ...findings, tables, callouts: drawn.callouts, imageUrl: new URL(drawn.imageUrl).pathname };
}

/** As `/tables/{page}-{index}.json` answers it; places in points. */
export interface ReadTable {
  index: number;
  rows: string[][];
  headerRows: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
