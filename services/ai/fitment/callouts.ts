import type { Infer } from "@partline/api-contracts";
import type { LinkedCallout, RowDocument } from "@partline/parts-search";
import type { calloutRule } from "../resources.ts";
import type { AskCatalog } from "./catalog-facts.ts";

type Callout = Infer<typeof calloutRule>;

/** A callout with one of the parts that it leads to, or with none. */
export interface CalloutPart extends Pick<LinkedCallout, "ref" | "box" | "page"> {
  row?: RowDocument;
}

/** Returns each callout once for every part that it leads to. @param isMeant which rows count */
export function toCalloutParts(
  callouts: readonly LinkedCallout[],
  isMeant: (row: RowDocument) => boolean = () => true,
): CalloutPart[] {
  return callouts.flatMap(({ ref, box, page, rows }): CalloutPart[] => {
    const parts = new Map(rows.filter(isMeant).map((row) => [`${row.pnNorm} ${row.vendor ?? ""}`, row]));
    return parts.size === 0 ? [{ ref, box, page }] : [...parts.values()].map((row) => ({ ref, box, page, row }));
  });
}

export function listRows(callouts: readonly CalloutPart[]): RowDocument[] {
  return callouts.flatMap(({ row }) => row ?? []);
}

export function toCallout({ ref, box, row }: CalloutPart, getFacts: Awaited<ReturnType<AskCatalog>>): Callout {
  const facts = row && getFacts(row);
  return {
    ref,
    box,
    partNumber: row?.partNumber ?? null,
    partId: facts?.partId ?? null,
    title: facts?.title ?? row?.description ?? null,
    quantity: row?.quantity ?? null,
    price: facts?.price ?? null,
    availability: facts?.availability ?? null,
  };
}
