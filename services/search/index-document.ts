import type { Result } from "../../broker/contract/define.ts";
import type { IndexDocument } from "../../mixins/search-index/port.ts";
import { tireAttributes } from "./tires.ts";
import { isTire } from "../../mixins/tires.ts";
import type { Actions } from "../contracts.ts";

export type CatalogPart = Result<Actions["catalog.changes"]>["parts"][number];

export function toIndexDocument({ stock: _stock, revision: _revision, tire, ...part }: CatalogPart): IndexDocument {
  return {
    ...part,
    imageUrl: part.media?.images?.[0]?.url ?? null,
    isTire: isTire(part),
    ...(tire && { attributes: tireAttributes(tire) }),
  };
}
