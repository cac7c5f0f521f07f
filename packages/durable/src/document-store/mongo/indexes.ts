import type { Db, IndexDescription } from "mongodb";
import { makeCollection } from "../../mongo/make-collection.ts";
import type { FieldType, IndexDefinition } from "../port.ts";
import { FIRST_DATE } from "../model/document.ts";
import { indexKeys, indexName } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";

/** Least value of each type: a range from it takes in all values of that type and no null. */
const LEAST: Record<FieldType, unknown> = { string: "", number: -Infinity, boolean: false, date: new Date(FIRST_DATE) };

/** Makes the collection and its indexes; many processes may do so at once, and again. */
export function ensureIndexes(database: Db, shape: Shape): Promise<void> {
  return makeCollection(database, shape.name, indexDescriptions(shape));
}

function indexDescriptions(shape: Shape): IndexDescription[] {
  const indexes = shape.indexes.filter(({ keys }) => !isExpiry(shape, keys)).map((index) => describe(shape, index));
  if (shape.expires !== undefined) {
    indexes.push({ key: { [shape.expires]: 1 }, name: `${shape.expires}_ttl`, expireAfterSeconds: 0 });
  }
  return indexes;
}

/**
 * A unique index leaves out documents that lack a key. Its filter is a range, not `$type`: the server sees that `{
 * number: "A1" }` lies in it, and uses the index. The id at the end of a plain index gives sorted pages.
 */
function describe(shape: Shape, index: IndexDefinition): IndexDescription {
  const key = Object.fromEntries(indexKeys(shape, index).map(({ path, direction }) => [path, direction]));
  const name = indexName(index);
  if (!index.unique) return { key, name };
  const present = Object.keys(key).map((path) => [path, { $gte: LEAST[shape.fields.get(path)!] }] as const);
  return { key, name, unique: true, partialFilterExpression: Object.fromEntries(present) };
}

function isExpiry(shape: Shape, keys: IndexDefinition["keys"]): boolean {
  const [first, ...rest] = Object.keys(keys);
  return first === shape.expires && rest.length === 0;
}
