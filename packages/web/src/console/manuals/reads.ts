import { isPartlineError, type ManualPage as DrawnCallouts, type PageFindings } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { fetchPages } from "../shared/fetch-pages.ts";
import { partline } from "../partline.ts";

export const manualLists = {
  manuals: (params: GetListParams) =>
    fetchPages(
      params,
      (pages) => partline.ai.manuals(pages),
      ({ manuals }) => manuals,
      ({ sha256 }) => sha256,
    ),
};

export const manualReaders = {
  "whole-manuals": async (sha256: string): Promise<RaRecord> => ({
    ...(await partline.pipeline.overview({ sha256 })),
    id: sha256,
  }),
};

export type PageOfManual = Awaited<ReturnType<typeof readPage>>;
export type PageRow = PageFindings["parts"][number];

/** All that was read on a page. */
export async function readPage(sha256: string, page: number, signal: AbortSignal) {
  const [findings, callouts] = await Promise.all([
    partline.pipeline.pageFindings({ sha256, page }, { signal }),
    readCallouts(sha256, page, signal),
  ]);
  const tables = await Promise.all(
    Array.from({ length: findings.tables }, async (_, index) => {
      const table = await partline.pipeline.table({ sha256, table: `${page}-${index + 1}.json` }, { signal });
      return (await table.json()) as ReadTable;
    }),
  );
  return { ...findings, tables, callouts, imageUrl: `/api/manuals/${sha256}/pages/${page}.webp` };
}

/** None for the seconds until the machines follow a manual that was read. */
async function readCallouts(sha256: string, page: number, signal: AbortSignal): Promise<DrawnCallouts["callouts"]> {
  try {
    return (await partline.ai.manualPage({ sha256, page }, { signal })).callouts;
  } catch (error) {
    if (isPartlineError(error, "NOT_FOUND")) return [];
    throw error;
  }
}

/** A table as `/tables/{page}-{index}.json` answers it; places in points. */
export interface ReadTable {
  index: number;
  rows: string[][];
  headerRows: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
