import { isPartlineError } from "@partline/client";
import type { Scope } from "../../../../../broker/contract/scopes.ts";
import { readParts } from "../catalog/reads.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { useReading } from "./use-reading.ts";

/** An object of the event store or of the audit, by its type there. */
export interface ObjectOfRecord {
  kind: string;
  id: string;
}

/** What people call an object, and the address of its page. */
export interface ObjectName {
  name: string;
  path: string;
}

interface Kind {
  scope: Scope;
  toPath(id: string): string;
  /** Reads the names that are known, by id. */
  readNames(ids: readonly string[], signal: AbortSignal): Promise<(readonly [id: string, name: string])[]>;
}

/** What the API takes at once. */
const MOST_AT_ONCE = 100;

/** The event store puts the kind before ids that are unique for their kind alone. */
const toOwnId = (id: string): string => id.replace(/^(vendor|manual)_/, "");

/** Reads names one by one, without objects that are gone. */
async function readEach(ids: readonly string[], readName: (id: string) => Promise<string>) {
  const names = await Promise.all(
    ids.map(async (id) => {
      try {
        return [[id, await readName(toOwnId(id))] as const];
      } catch (error) {
        if (isPartlineError(error, "NOT_FOUND")) return [];
        throw error;
      }
    }),
  );
  return names.flat();
}

const manual: Kind = {
  scope: "manuals:read",
  toPath: (id) => `/manuals/${toOwnId(id)}/show`,
  readNames: (ids, signal) =>
    readEach(ids, async (sha256) => (await partline.pipeline.overview({ sha256 }, { signal })).title),
};

const webhook: Kind = {
  scope: "webhooks:read",
  toPath: (id) => `/webhooks/${id}/show`,
  readNames: (ids, signal) =>
    readEach(ids, async (endpointId) => (await partline.webhook.getEndpoint({ endpointId }, { signal })).url),
};

const KINDS: Readonly<Record<string, Kind>> = {
  order: {
    scope: "orders:read",
    toPath: (id) => `/orders/${encodeURIComponent(id)}/show`,
    readNames: async (ids, signal) => {
      const { orders } = await partline.order.adminSearch({ orderIds: [...ids], pageSize: ids.length }, { signal });
      return orders.map(({ orderId, orderNumber }) => [orderId, orderNumber] as const);
    },
  },
  part: {
    scope: "catalog:read",
    toPath: (id) => `/catalog-parts/${encodeURIComponent(id)}/show`,
    readNames: async (ids, signal) =>
      (await readParts(ids, signal)).map(({ id, partNumber }) => [id, partNumber] as const),
  },
  vendor: {
    scope: "catalog:read",
    toPath: () => "/vendors",
    readNames: async (ids, signal) => {
      const { vendors } = await partline.catalog.vendors({}, { signal });
      return ids.flatMap((id) =>
        vendors.filter(({ code }) => code === toOwnId(id)).map(({ name }) => [id, name] as const),
      );
    },
  },
  user: {
    scope: "users:read",
    toPath: (id) => `/users/${encodeURIComponent(id)}/show`,
    readNames: (ids, signal) =>
      readEach(ids, async (id) => {
        const { name, email } = await partline.user.get({ id }, { signal });
        return name ?? email ?? id;
      }),
  },
  manual,
  document: manual,
  webhook,
  "webhook-endpoint": webhook,
};

/** Returns the names of objects by their ids, as far as the person may read them; each kind is read at once. */
export function useObjectNames(objects: readonly ObjectOfRecord[]): ReadonlyMap<string, ObjectName> {
  const may = useMay();
  const requests = Object.entries(KINDS).flatMap(([kind, { scope, ...reader }]) => {
    const ids = may(scope) ? objects.filter((object) => object.kind === kind).map(({ id }) => id) : [];
    return ids.length > 0 ? [{ kind, ids: [...new Set(ids)].sort().slice(0, MOST_AT_ONCE), reader }] : [];
  });
  const key = requests.map(({ kind, ids }) => [kind, ids]);
  const { data } = useReading(["object-names", key], async (signal) => {
    const names = await Promise.all(
      requests.map(async ({ ids, reader: { toPath, readNames } }) =>
        (await readNames(ids, signal)).map(([id, name]) => [id, { name, path: toPath(id) }] as const),
      ),
    );
    return new Map(names.flat());
  });
  return data ?? new Map<string, ObjectName>();
}
