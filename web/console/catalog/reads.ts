import type { CatalogInterchangeParams, CatalogPartsParams, CatalogSyncsParams } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { pagesOf, wholeOf } from "../pages-of.ts";
import { partline } from "../partline.ts";

export const catalogLists = {
  "catalog-parts": (params: GetListParams) => {
    const { vendor, ...rest } = params.filter as Partial<CatalogPartsParams>;
    // A vendor must be chosen first.
    if (!vendor) return Promise.resolve({ data: [], total: 0 });
    return pagesOf(
      params,
      (pages) => partline.catalog.parts({ vendor, ...rest, ...pages }),
      ({ parts }) => parts,
      ({ id }) => id,
    );
  },
  vendors: async () => wholeOf((await partline.catalog.vendors()).vendors, ({ code }) => code),
  interchange: (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.catalog.interchange({ ...(params.filter as CatalogInterchangeParams), ...pages }),
      ({ references }) => references,
      ({ id }) => id,
    ),
  imports: async () => wholeOf((await partline.catalog.imports()).imports, ({ importId }) => importId),
  timetable: async () => wholeOf((await partline.catalog.timetable()).jobs, ({ job }) => job),
  syncs: (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.catalog.syncs({ ...(params.filter as CatalogSyncsParams), ...pages }),
      ({ syncs }) => syncs,
      ({ syncId }) => syncId,
    ),
};

/** Not by the names of the lists: react-admin shows what a list has of one until the whole is read. */
export const catalogReaders = {
  /** `kaw-159648141`. */
  "whole-parts": (id: string): Promise<RaRecord> => {
    const [vendor = "", ...number] = id.split("-");
    return partline.catalog.part({ vendor, partNumber: number.join("-") });
  },
  "import-reports": async (importId: string): Promise<RaRecord> => ({
    ...(await partline.catalog.importReport({ importId })),
    id: importId,
  }),
  "sync-reports": async (syncId: string): Promise<RaRecord> => ({
    ...(await partline.catalog.sync({ syncId })),
    id: syncId,
  }),
};
