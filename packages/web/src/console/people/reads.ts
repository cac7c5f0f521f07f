import type { GetListParams, RaRecord } from "react-admin";
import { fetchPages } from "../shared/fetch-pages.ts";
import { partline } from "../partline.ts";

export const peopleLists = {
  users: (params: GetListParams) => {
    const q = (params.filter as { q?: string }).q?.trim();
    return fetchPages(
      params,
      (pages) => partline.user.search({ ...pages, ...(q ? { q } : {}) }),
      ({ users }) => users,
      ({ userId }) => userId,
    );
  },
};

export const peopleReaders = {
  users: async (id: string): Promise<RaRecord> => ({ ...(await partline.user.get({ id })), id }),
};
