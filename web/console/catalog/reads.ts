import type { CatalogInterchangeParams, CatalogPartsParams, CatalogSyncsParams } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { pagesOf } from "../pages-of.ts";
import { partline } from "../partline.ts";

export const catalogLists = {
  parts: (params: GetListParams) => {
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

export const catalogReaders = {
  /** `kaw-159648141`. */
  parts: (id: string): Promise<RaRecord> => {
    const [vendor = "", ...number] = id.split("-");
    return partline.catalog.part({ vendor, partNumber: number.join("-") });
  },
  syncs: async (syncId: string): Promise<RaRecord> => ({ ...(await partline.catalog.sync({ syncId })), id: syncId }),
};
