import { readParts } from "../catalog/reads.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { useReading } from "./use-reading.ts";

interface ObjectIds {
  orderIds?: readonly string[];
  partIds?: readonly string[];
}

/** What the API takes at once. */
const MOST_ORDERS = 100;

const listOnce = (ids: readonly string[] = []): string[] => [...new Set(ids)].sort();

/** Returns the numbers of orders and parts by their ids, as far as the person may read them: all are read at once. */
export function useObjectNames({ orderIds, partIds }: ObjectIds): ReadonlyMap<string, string> {
  const may = useMay();
  const readOrderIds = may("orders:read") ? listOnce(orderIds).slice(0, MOST_ORDERS) : [];
  const readPartIds = may("catalog:read") ? listOnce(partIds) : [];
  const { data } = useReading(["object-names", readOrderIds, readPartIds], async (signal) => {
    const [{ orders }, parts] = await Promise.all([
      readOrderIds.length > 0
        ? partline.order.adminSearch({ orderIds: readOrderIds, pageSize: readOrderIds.length }, { signal })
        : { orders: [] },
      readParts(readPartIds, signal),
    ]);
    return new Map([
      ...orders.map(({ orderId, orderNumber }) => [orderId, orderNumber] as const),
      ...parts.map(({ id, partNumber }) => [id, partNumber] as const),
    ]);
  });
  return data ?? new Map();
}
