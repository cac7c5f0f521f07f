import type { AdminOrder, DeadLetter, EventstoreTasksParams, OrderAdminSearchParams, Task } from "@partline/client";
import type { DataProvider, GetListParams, GetListResult, RaRecord } from "react-admin";
import { catalogLists, catalogReaders } from "./catalog/reads.ts";
import { cursorPages } from "./cursor-pages.ts";
import { manualLists, manualReaders } from "./manuals/reads.ts";
import { partline } from "./partline.ts";
import { peopleLists, peopleReaders } from "./people/reads.ts";
import { searchLists } from "./search/reads.ts";

/** What react-admin's pages read, by the API that everybody has. What they change, they change by the client itself. */

/** The most that the API lists of letters and tasks. */
const MOST_LISTED = 1_000;

const withId = (order: AdminOrder) => ({ ...order, id: order.orderId });

const orders = cursorPages((query: OrderAdminSearchParams) => partline.order.adminSearch(query));

async function listOrders({ pagination, sort, filter }: GetListParams): Promise<GetListResult> {
  const { q, lineState, ...rest } = filter as Record<string, unknown> & { q?: string; lineState?: string };
  const asked = q?.trim();
  // Whoever looks for one order wants it in any state.
  const isOne = asked !== undefined && /^ord[-_]|@/i.test(asked);
  const found = await orders.page(pagination?.page ?? 1, {
    ...rest,
    ...(isOne || lineState === undefined ? {} : { lineState }),
    ...(asked ? (asked.includes("@") ? { email: asked } : { q: asked }) : {}),
    sort: sortOf(sort),
    pageSize: pagination?.perPage ?? 25,
  } as OrderAdminSearchParams);
  return { data: found.orders.map(withId), pageInfo: found.pageInfo };
}

function sortOf(sort: GetListParams["sort"]): NonNullable<OrderAdminSearchParams["sort"]> {
  if (sort?.field === "total") return sort.order === "ASC" ? "total_asc" : "total_desc";
  return sort?.order === "ASC" ? "oldest" : "newest";
}

/** A list that the API gives whole. */
function paged<T extends RaRecord>(all: T[], { pagination }: GetListParams): GetListResult<T> {
  const { page = 1, perPage = 25 } = pagination ?? {};
  return { data: all.slice((page - 1) * perPage, page * perPage), total: all.length };
}

const lists: Record<string, (params: GetListParams) => Promise<GetListResult>> = {
  orders: listOrders,
  "dead-letters": async (params) => {
    const { dead_letters } = await partline.eventstore.deadLetters({ limit: MOST_LISTED });
    return paged<DeadLetter>(dead_letters, params);
  },
  tasks: async (params) => {
    const { tasks } = await partline.eventstore.tasks({
      ...(params.filter as EventstoreTasksParams),
      limit: MOST_LISTED,
    });
    return paged<Task>(tasks, params);
  },
  ...catalogLists,
  ...manualLists,
  ...peopleLists,
  ...searchLists,
};

const readers: Record<string, (id: string) => Promise<RaRecord>> = {
  orders: async (orderId) => withId(await partline.order.adminGet({ orderId })),
  tasks: (id) => partline.eventstore.task({ id }),
  ...catalogReaders,
  ...manualReaders,
  ...peopleReaders,
};

const notOffered = (): Promise<never> => Promise.reject(new Error("The API has no such operation"));

export const dataProvider = {
  getList: (resource: string, params: GetListParams) => (lists[resource] ?? notOffered)(params),
  getOne: async (resource: string, { id }: { id: RaRecord["id"] }) => ({
    data: await (readers[resource] ?? notOffered)(String(id)),
  }),
  getMany: async (resource: string, { ids }: { ids: RaRecord["id"][] }) => ({
    data: await Promise.all(ids.map((id) => (readers[resource] ?? notOffered)(String(id)))),
  }),
  getManyReference: notOffered,
  create: notOffered,
  update: notOffered,
  updateMany: notOffered,
  delete: notOffered,
  deleteMany: notOffered,
} as DataProvider;
