import { isPartlineError } from "@partline/client";
import type { AdminOrder, DeadLetter, EventstoreTasksParams, OrderAdminSearchParams, Task } from "@partline/client";
import {
  HttpError,
  type DataProvider,
  type GetListParams,
  type GetListResult,
  type GetManyReferenceParams,
  type RaRecord,
  type UpdateParams,
} from "react-admin";
import { catalogLists, catalogReaders, editedParts } from "./catalog/reads.ts";
import { cursorPages } from "./shared/cursor-pages.ts";
import { createKey, listAudit, listKeys } from "./keys/data.ts";
import { manualLists, manualReaders } from "./manuals/reads.ts";
import { partline } from "./partline.ts";
import { peopleLists, peopleReaders } from "./people/reads.ts";
import { refusalText } from "./shared/refusal-text.ts";
import { formatRemark } from "./shared/remark-text.ts";
import { changeSettings, readSettings } from "./settings/data.ts";
import { endpoints, listDeliveries, listEndpoints } from "./webhooks/data.ts";

/** What react-admin's pages read, by the API that everybody has. What they change, they change by the client itself. */

/** The most that the API lists of letters and tasks. */
const MOST_LISTED = 1_000;

const withId = (order: AdminOrder) => ({ ...order, id: order.orderId });

const orders = cursorPages((query: OrderAdminSearchParams) => partline.order.adminSearch(query));

async function listOrders({ pagination, sort, filter }: GetListParams): Promise<GetListResult> {
  const { q, ...rest } = filter as Record<string, unknown> & { q?: string };
  const text = q?.trim();
  const answer = await orders.page(pagination?.page ?? 1, {
    ...rest,
    ...(text ? { q: text } : {}),
    sort: toSort(sort),
    pageSize: pagination?.perPage ?? 25,
  } as OrderAdminSearchParams);
  return { data: answer.orders.map(withId), pageInfo: answer.pageInfo };
}

function toSort(sort: GetListParams["sort"]): NonNullable<OrderAdminSearchParams["sort"]> {
  if (sort?.field === "total") return sort.order === "ASC" ? "total_asc" : "total_desc";
  return sort?.order === "ASC" ? "oldest" : "newest";
}

/** A list that the API gives whole. */
function paged<T extends RaRecord>(records: T[], { pagination }: GetListParams): GetListResult<T> {
  const { page = 1, perPage = 25 } = pagination ?? {};
  return { data: records.slice((page - 1) * perPage, page * perPage), total: records.length };
}

const lists: Record<string, (params: GetListParams) => Promise<GetListResult>> = {
  orders: listOrders,
  webhooks: listEndpoints,
  keys: listKeys,
  audit: listAudit,
  ...catalogLists,
  ...manualLists,
  ...peopleLists,
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
};

const readers: Record<string, (id: string) => Promise<RaRecord>> = {
  orders: async (orderId) => withId(await partline.order.adminGet({ orderId })),
  settings: readSettings,
  webhooks: endpoints.read,
  ...catalogReaders,
  ...manualReaders,
  ...peopleReaders,
};

const references: Record<string, (params: GetManyReferenceParams) => Promise<GetListResult>> = {
  "webhook-deliveries": listDeliveries,
};

const makers: Record<string, (data: Partial<RaRecord>) => Promise<RaRecord>> = {
  webhooks: endpoints.create,
  keys: createKey,
  "edited-parts": editedParts.create,
};

type Change = (id: string, data: Partial<RaRecord>, previousData: Partial<RaRecord>) => Promise<RaRecord>;

const changers: Record<string, Change> = {
  settings: changeSettings,
  webhooks: endpoints.update,
  "edited-parts": editedParts.update,
};

const removers: Record<string, (id: string) => Promise<unknown>> = {
  webhooks: endpoints.delete,
};

/** Returns the input of a field: `zones[0].name` is `zones.0.name`, and a list of texts has one input. */
const toSource = (field: string): string => field.replace(/\[\d+\]$/, "").replaceAll(/\[(\d+)\]/g, ".$1");

/** Gives a form the fields that the API refused, each in its words. */
async function marked(work: Promise<RaRecord>): Promise<{ data: RaRecord }> {
  try {
    return { data: await work };
  } catch (error) {
    if (!isPartlineError(error, "VALIDATION_FAILED") || !Array.isArray(error.details)) throw error;
    const refused = error.details as { field: string; message: string; code?: string; values?: object }[];
    const toText = ({ code = error.code, message, values }: Omit<(typeof refused)[number], "field">) =>
      values ? formatRemark({ reason: message, code, values: { ...values } }) : refusalText(code, message);
    const fields = Object.fromEntries(refused.map((problem) => [toSource(problem.field), toText(problem)]));
    const serverError = toText(refused[0] ?? error);
    throw new HttpError(serverError, error.status, { errors: { ...fields, root: { serverError } } });
  }
}

const notOffered = (): Promise<never> => Promise.reject(new Error("The API has no such operation"));

export const dataProvider = {
  getList: (resource: string, params: GetListParams) => (lists[resource] ?? notOffered)(params),
  getOne: async (resource: string, { id }: { id: RaRecord["id"] }) => ({
    data: await (readers[resource] ?? notOffered)(String(id)),
  }),
  getMany: async (resource: string, { ids }: { ids: RaRecord["id"][] }) => ({
    data: await Promise.all(ids.map((id) => (readers[resource] ?? notOffered)(String(id)))),
  }),
  getManyReference: (resource: string, params: GetManyReferenceParams) => (references[resource] ?? notOffered)(params),
  create: (resource: string, { data }: { data: Partial<RaRecord> }) => marked((makers[resource] ?? notOffered)(data)),
  update: (resource: string, { id, data, previousData }: UpdateParams<RaRecord>) =>
    marked((changers[resource] ?? notOffered)(String(id), data, previousData)),
  updateMany: notOffered,
  delete: async (resource: string, { id, previousData }: { id: RaRecord["id"]; previousData?: RaRecord }) => {
    await (removers[resource] ?? notOffered)(String(id));
    return { data: previousData ?? { id } };
  },
  deleteMany: notOffered,
} as DataProvider;
