import type { CatalogInterchangeParams, CatalogPartsParams, CatalogSyncsParams } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { pagesOf } from "../pages-of.ts";
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
  vendors: async () => {
    const { vendors } = await partline.catalog.vendors();
    return { data: vendors.map((vendor) => ({ ...vendor, id: vendor.code })), total: vendors.length };
  },
  interchange: (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.catalog.interchange({ ...(params.filter as CatalogInterchangeParams), ...pages }),
      ({ references }) => references,
      ({ id }) => id,
    ),
  imports: async () => {
    const { imports } = await partline.catalog.imports();
    return { data: imports.map((each) => ({ ...each, id: each.importId })), total: imports.length };
  },
  timetable: async () => {
    const { jobs } = await partline.catalog.timetable();
    return { data: jobs.map((job) => ({ ...job, id: job.job })), total: jobs.length };
  },
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
