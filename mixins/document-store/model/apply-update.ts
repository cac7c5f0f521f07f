import { DocumentStoreError } from "../port.ts";
import { compareValues } from "./order.ts";
import { isPlainObject } from "./paths.ts";
import type { JsonObject } from "./paths.ts";
import type { UpdateStep } from "./update.ts";

type Container = JsonObject | unknown[];

/** As far as MongoDB fills an array up with null to reach an index. */
const MAX_ARRAY_INDEX = 1_500_000;

/**
 * Applies the steps to a stored document, in place, with MongoDB's meaning. Answers whether anything changed.
 * `$setOnInsert` counts only when `inserting`. Operands become part of the document: serialize it before the next call.
 * @throws BAD_DOCUMENT when the document does not fit the update ($inc of a string, a path through a scalar)
 */
export function applyUpdate(document: JsonObject, steps: readonly UpdateStep[], inserting: boolean): boolean {
  let changed = false;
  for (const step of steps) {
    if (step.op === "$setOnInsert" && !inserting) continue;
    if (applyStep(document, step)) changed = true;
  }
  return changed;
}

function applyStep(document: JsonObject, step: UpdateStep): boolean {
  const creates = step.op !== "$unset" && step.op !== "$pull";
  const place = locate(document, step.path, creates);
  if (!place) return false;
  const { container, key } = place;
  const current = read(container, key);
  switch (step.op) {
    case "$set":
    case "$setOnInsert":
      if (step.path === "_id" && current !== undefined && current !== step.value) throw bad("_id cannot be changed");
      return current !== undefined && compareValues(current, step.value) === 0
        ? false
        : write(container, key, step.value);
    case "$unset":
      return current === undefined ? false : remove(container, key);
    case "$inc":
      if (current !== undefined && typeof current !== "number") throw bad(`$inc: ${step.path} is not a number`);
      return increment(container, key, current, step);
    case "$push":
      return write(container, key, [...list(current, step), step.value]);
    case "$addToSet": {
      const items = list(current, step);
      return items.some((item) => compareValues(item, step.value) === 0)
        ? false
        : write(container, key, [...items, step.value]);
    }
    case "$pull": {
      if (current === undefined) return false;
      const items = list(current, step);
      const kept = items.filter((item) => compareValues(item, step.value) !== 0);
      return kept.length === items.length ? false : write(container, key, kept);
    }
  }
}

function increment(container: Container, key: string, current: number | undefined, step: UpdateStep): boolean {
  const sum = (current ?? 0) + (step.value as number);
  if (!Number.isFinite(sum)) throw bad(`$inc: ${step.path} becomes too large`);
  return sum === current ? false : write(container, key, sum);
}

function list(current: unknown, step: UpdateStep): unknown[] {
  if (current === undefined) return [];
  if (!Array.isArray(current)) throw bad(`${step.op}: ${step.path} is not an array`);
  return current;
}

/** The object or array that holds the last segment; null when the path ends early and nothing is to be created. */
function locate(document: JsonObject, path: string, creates: boolean): { container: Container; key: string } | null {
  const segments = path.split(".");
  const key = segments.pop()!;
  let container: Container = document;
  for (const segment of segments) {
    let next: unknown = isUsableKey(container, segment) ? read(container, segment) : null;
    if (next === undefined) {
      if (!creates) return null;
      write(container, segment, (next = {}));
    }
    if (!isPlainObject(next) && !Array.isArray(next)) {
      if (!creates) return null;
      throw bad(`${path} cannot be created: ${segment} is in the way`);
    }
    container = next;
  }
  if (isUsableKey(container, key)) return { container, key };
  if (!creates) return null;
  throw bad(`${path} cannot be created: ${key} is not an array index`);
}

function isUsableKey(container: Container, key: string): boolean {
  return !Array.isArray(container) || (/^(0|[1-9]\d*)$/.test(key) && Number(key) <= MAX_ARRAY_INDEX);
}

function read(container: Container, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as JsonObject)[key] : undefined;
}

function write(container: Container, key: string, value: unknown): true {
  if (Array.isArray(container)) {
    while (container.length < Number(key)) container.push(null);
  }
  (container as JsonObject)[key] = value;
  return true;
}

/** An array keeps its length: the element becomes null. */
function remove(container: Container, key: string): true {
  if (Array.isArray(container)) container[Number(key)] = null;
  else delete container[key];
  return true;
}

function bad(message: string): DocumentStoreError {
  return new DocumentStoreError("BAD_DOCUMENT", message);
}
