/** Merges objects as a JSON merge patch (RFC 7396) does: null removes a member, a list replaces one. */
export function mergePatch<T extends object>(target: T, patch: object): T {
  const merged = { ...target } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch) as [string, unknown][]) {
    if (value === null) delete merged[name];
    else if (isMembers(value)) merged[name] = mergePatch(toMembers(merged[name]), value);
    else if (value !== undefined) merged[name] = value;
  }
  return merged as T;
}

/** Returns an object without the fields that say nothing. */
export function omitUndefined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function isMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toMembers(value: unknown): object {
  return isMembers(value) ? value : {};
}
