import { badDocument, isPlainObject, isSame, type JsonObject } from "./paths.ts";
import type { UpdateStep } from "./update.ts";

/**
 * Applies the steps to a stored document, in place, with MongoDB's meaning. Returns whether anything changed.
 * `$setOnInsert` counts only when `inserting`. Operands become part of the document: serialize it before the next call.
 * @throws BAD_DOCUMENT when the document does not fit the update ($inc of a string, a path through a scalar)
 */
export function applyUpdate(document: JsonObject, steps: readonly UpdateStep[], inserting = false): boolean {
  let changed = false;
  for (const step of steps) {
    if (step.op === "$setOnInsert" && !inserting) continue;
    if (applyStep(document, step)) changed = true;
  }
  return changed;
}

function applyStep(document: JsonObject, { op, path, value }: UpdateStep): boolean {
  const segments = path.split(".");
  const key = segments.pop()!;
  const holder = holderOf(document, segments, path, op !== "$unset" && op !== "$pull");
  if (!holder) return false;
  const current = Object.hasOwn(holder, key) ? holder[key] : undefined;
  const next = valueAfter(current, { op, path, value });
  if (next === undefined) return current !== undefined && delete holder[key];
  if (current !== undefined && isSame(current, next)) return false;
  if (path === "_id" && current !== undefined) throw badDocument("_id cannot be changed");
  holder[key] = next;
  return true;
}

/** Returns what a step makes of a value; undefined means that there is none. */
function valueAfter(current: unknown, { op, path, value }: UpdateStep): unknown {
  switch (op) {
    case "$set":
    case "$setOnInsert":
      return value;
    case "$unset":
      return undefined;
    case "$inc": {
      if (current !== undefined && typeof current !== "number") throw badDocument(`$inc: ${path} is not a number`);
      const sum = (current ?? 0) + (value as number);
      if (!Number.isFinite(sum)) throw badDocument(`$inc: ${path} becomes too large`);
      return sum;
    }
    case "$push":
    case "$addToSet":
    case "$pull": {
      if (op === "$pull" && current === undefined) return undefined;
      const items = current ?? [];
      if (!Array.isArray(items)) throw badDocument(`${op}: ${path} is not an array`);
      if (op === "$pull") return items.filter((item) => !isSame(item, value));
      return op === "$addToSet" && items.some((item) => isSame(item, value)) ? items : [...(items as unknown[]), value];
    }
  }
}

/** Returns the object that holds the last segment; undefined when the path ends early and nothing is to be made. */
function holderOf(
  document: JsonObject,
  segments: readonly string[],
  path: string,
  creates: boolean,
): JsonObject | undefined {
  let holder = document;
  for (const segment of segments) {
    if (!Object.hasOwn(holder, segment)) {
      if (!creates) return undefined;
      holder[segment] = {};
    }
    const next = holder[segment];
    if (!isPlainObject(next)) {
      if (!creates) return undefined;
      throw badDocument(`${path} cannot be created: ${segment} is in the way`);
    }
    holder = next;
  }
  return holder;
}
