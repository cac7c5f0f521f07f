import { invalidRequest } from "./errors.ts";

/** A decoded form: text at the leaves. Objects have no prototype: no name of a request means anything to JavaScript. */
export type FormValue = string | FormObject | FormValue[];
export type FormObject = { [name: string]: FormValue };

const MAX_DEPTH = 10;
const MAX_PAIRS = 5_000;

/**
 * Decodes `a=1&b[c]=2&d[0][e]=3&f[]=4`, the encoding of the provider's requests and queries, into `{ a: "1", b: { c:
 * "2" }, d: [{ e: "3" }], f: ["4"] }`. A level whose names are 0 to n-1 is a list. Throws ApiError 400 for a name that
 * is used both as a value and as a container, or that nests deeper than ten levels.
 */
export function decodeForm(text: string): FormObject {
  const root = emptyObject();
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > MAX_PAIRS) throw invalidRequest(`Invalid request: more than ${MAX_PAIRS} parameters`);
    if (!assign(root, name, value)) {
      const shown = JSON.stringify(name.slice(0, 100));
      throw invalidRequest(
        `Invalid request: parameter ${shown} is malformed, nests too deeply or is a value elsewhere`,
      );
    }
  }
  return withLists(root) as FormObject;
}

/** Returns whether the name could be given the value. */
function assign(root: FormObject, name: string, value: string): boolean {
  const open = name.indexOf("[", 1);
  const rest = open < 0 ? "" : name.slice(open);
  if (!/^(\[[^[\]]*\])*$/.test(rest)) return false;
  const path = rest === "" ? [name] : [name.slice(0, open), ...rest.slice(1, -1).split("][")];
  if (path.length > MAX_DEPTH) return false;
  let level = root;
  for (const [index, segment] of path.entries()) {
    const key = segment === "" ? String(Object.keys(level).length) : segment;
    const existing = level[key];
    if (index === path.length - 1) {
      if (isContainer(existing)) return false;
      level[key] = value;
    } else {
      if (existing !== undefined && !isContainer(existing)) return false;
      level = existing ?? (level[key] = emptyObject());
    }
  }
  return true;
}

function withLists(value: FormValue): FormValue {
  if (!isContainer(value)) return value;
  // Only names 0 to n-1 are a list: metadata may have a key that is a number.
  const names = Object.keys(value);
  if (names.length > 0 && names.every((_, index) => Object.hasOwn(value, String(index))))
    return names.map((_, index) => withLists(value[String(index)] as FormValue));
  for (const name of names) value[name] = withLists(value[name] as FormValue);
  return value;
}

function isContainer(value: FormValue | undefined): value is FormObject {
  return typeof value === "object" && !Array.isArray(value);
}

function emptyObject(): FormObject {
  return Object.create(null) as FormObject;
}
