import { DocumentStoreError } from "../port.ts";
import { applyUpdate } from "./apply-update.ts";
import { pathsOverlap } from "./paths.ts";
import type { JsonObject } from "./paths.ts";
import { conjuncts } from "./predicate.ts";
import type { Operand, Predicate } from "./predicate.ts";
import type { UpdateStep } from "./update.ts";

export type Equality = { path: string; value: Operand };

/**
 * The fields that an upsert takes over from its filter.
 * @throws BAD_QUERY when two of them contradict each other or the update's `_id`; BAD_DOCUMENT when one has the wrong
 * type
 */
export function upsertEqualities(predicate: Predicate, steps: readonly UpdateStep[]): Equality[] {
  const equalities: Equality[] = [];
  for (const part of conjuncts(predicate)) {
    if (part.op === "never") throw new DocumentStoreError("BAD_DOCUMENT", `${part.path} has not the declared type`);
    if (part.op !== "eq") continue;
    const clash = equalities.find(({ path }) => pathsOverlap(path, part.path));
    if (clash) throw new DocumentStoreError("BAD_QUERY", `An upsert cannot take ${part.path} from its filter twice`);
    equalities.push({ path: part.path, value: part.value });
  }
  const id = equalities.find(({ path }) => path === "_id");
  if (id && (typeof id.value !== "string" || id.value === ""))
    throw new DocumentStoreError("BAD_DOCUMENT", "_id is not a string");
  const stepId = steps.find(({ path }) => path === "_id");
  if (id && stepId && id.value !== stepId.value)
    throw new DocumentStoreError("BAD_QUERY", "The filter and the update give different _ids");
  return equalities;
}

/** The id that the filter or the update gives to an upserted document. */
export function givenId(equalities: readonly Equality[], steps: readonly UpdateStep[]): string | undefined {
  return [...equalities, ...steps].find(({ path }) => path === "_id")?.value as string | undefined;
}

/** The document that an upsert inserts. */
export function upsertedDocument(
  id: string,
  equalities: readonly Equality[],
  steps: readonly UpdateStep[],
): JsonObject & { _id: string } {
  const document = { _id: id };
  const seeds = equalities.map(({ path, value }): UpdateStep => ({ op: "$set", path, value }));
  applyUpdate(document, seeds, true);
  applyUpdate(document, steps, true);
  return document;
}
