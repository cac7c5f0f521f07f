import type { CatalogInterchangeParams, CatalogPartsParams } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { pagesOf } from "../shared/pages-of.ts";
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
  interchange: (params: GetListParams) =>
    pagesOf(
      params,
      (pages) => partline.catalog.interchange({ ...(params.filter as CatalogInterchangeParams), ...pages }),
      ({ references }) => references,
      ({ id }) => id,
    ),
};

/** Not by the names of the lists: react-admin shows what a list has of one until the whole is read. */
export const catalogReaders = {
  /** `kaw-159648141`. */
  "whole-parts": (id: string): Promise<RaRecord> => {
    const [vendor = "", ...number] = id.split("-");
    return partline.catalog.part({ vendor, partNumber: number.join("-") });
  },
};
