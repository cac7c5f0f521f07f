import type {
  CatalogAdminPartsParams,
  CatalogInterchangeParams,
  EditedPart,
  ListedPart,
  WholePart,
} from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { fetchPages } from "../shared/fetch-pages.ts";
import { partline } from "../partline.ts";
import { type PartRecord, toEdit, toNewPart, toPartRecord } from "./part-fields.ts";

export const catalogLists = {
  "catalog-parts": (params: GetListParams) =>
    fetchPages(
      params,
      (pages) => partline.catalog.adminParts({ ...(params.filter as CatalogAdminPartsParams), ...pages }),
      ({ parts }) => parts,
      ({ id }) => id,
    ),
  interchange: (params: GetListParams) =>
    fetchPages(
      params,
      (pages) => partline.catalog.interchange({ ...(params.filter as CatalogInterchangeParams), ...pages }),
      ({ references }) => references,
      ({ id }) => id,
    ),
};

const MOST_AT_ONCE = 100;

/** Reads parts by their ids, without those that are not in the catalog any more. */
export async function readParts(ids: readonly string[], signal: AbortSignal): Promise<ListedPart[]> {
  if (ids.length === 0) return [];
  const chosen = ids.slice(0, MOST_AT_ONCE).join(",");
  return (await partline.catalog.adminParts({ ids: chosen, pageSize: MOST_AT_ONCE }, { signal })).parts;
}

/** Not by the names of the lists: react-admin shows what a list has of one until the whole is read. */
export const catalogReaders = {
  /** `kaw-159648141`. */
  "whole-parts": async (id: string): Promise<StaffPart> => {
    const editedPart = await partline.catalog.adminPart({ id });
    const [vendor = "", ...number] = id.split("-");
    const surroundings = editedPart.hidden
      ? HIDDEN
      : await partline.catalog.part({ vendor, partNumber: number.join("-") });
    return { ...surroundings, ...editedPart };
  },
  "edited-parts": async (id: string): Promise<RaRecord> => toPartRecord(await partline.catalog.adminPart({ id })),
};

type Surroundings = Pick<WholePart, "supersession" | "interchange" | "kit" | "fitment" | "missing">;
export type StaffPart = EditedPart & Surroundings;

/** Of a hidden part, nothing is shown of other parts. */
const HIDDEN: Surroundings = {
  supersession: { supersedes: [], supersededBy: [], unknownSuccessor: null, cycle: false },
  interchange: [],
  kit: [],
  fitment: [],
};

export const editedParts = {
  create: async (data: Partial<RaRecord>): Promise<RaRecord> =>
    toPartRecord(await partline.catalog.addPart(toNewPart(data))),
  update: async (_id: string, data: Partial<RaRecord>): Promise<RaRecord> =>
    toPartRecord(await partline.catalog.editPart(toEdit(data as PartRecord))),
};
