import type { Shortage } from "@partline/client";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { useReading } from "../shared/use-reading.ts";

const AGAIN_MS = 30_000;

interface Shortages {
  shortages: Shortage[] | undefined;
  /** Cursor of the parts that follow. */
  next: string | undefined;
  refusal: string | undefined;
}

/** The parts to order, from a cursor on; none for a person who may not read orders. */
export function useShortages(cursor?: string): Shortages {
  const mayRead = useMay()("orders:read");
  const { data, refusal } = useReading(
    ["shortages", mayRead, cursor],
    (signal) => (mayRead ? partline.order.adminShortages({ cursor }, { signal }) : Promise.resolve({ parts: [] })),
    { everyMs: AGAIN_MS },
  );
  return { shortages: data?.parts, next: data && "nextCursor" in data ? data.nextCursor : undefined, refusal };
}
