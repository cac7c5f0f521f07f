import { notFound } from "../../../mixins/errors.ts";
import type { IndexDocument } from "../../../mixins/search-index/port.ts";
import { INDEXES } from "./request.ts";
import { toObject } from "./result.ts";
import { HIT_ATTRIBUTES } from "./rules.ts";

export interface ObjectRequest {
  indexName: string;
  objectID: string;
  attributesToRetrieve?: readonly string[];
}

/** Returns the objects in the order of the requests, null for a missing one. @throws NOT_FOUND for an unknown index */
export async function objectsOf(
  requests: readonly ObjectRequest[],
  get: (ids: string[]) => Promise<IndexDocument[]>,
): Promise<(Record<string, unknown> | null)[]> {
  for (const { indexName } of requests) if (!Object.hasOwn(INDEXES, indexName)) throw notFound("Index", indexName);
  const documents = await get([...new Set(requests.map(({ objectID }) => objectID.toLowerCase()))]);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return requests.map(({ objectID, attributesToRetrieve: asked = ["*"] }) => {
    const document = byId.get(objectID.toLowerCase());
    const attributes = asked.includes("*") ? HIT_ATTRIBUTES : HIT_ATTRIBUTES.filter((name) => asked.includes(name));
    return document ? toObject(document, attributes) : null;
  });
}
