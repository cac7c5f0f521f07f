import { malformedForm } from "./errors.ts";

/**
 * A decoded form: text at the leaves. Objects have no prototype, so that no name in a request means anything to
 * JavaScript.
 */
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
    if (++pairs > MAX_PAIRS) throw malformedForm(`more than ${MAX_PAIRS} parameters`);
    assign(root, splitName(name), value, name);
  }
  return withLists(root) as FormObject;
}

function splitName(name: string): string[] {
  const open = name.indexOf("[");
  if (open <= 0) return [name];
  const rest = name.slice(open);
  if (!/^(\[[^[\]]*\])+$/.test(rest))
    throw malformedForm(`parameter name ${JSON.stringify(name.slice(0, 100))} is not well formed`);
  return [name.slice(0, open), ...rest.slice(1, -1).split("][")];
}

function assign(root: FormObject, path: string[], value: string, name: string): void {
  if (path.length > MAX_DEPTH) throw malformedForm(`parameter ${JSON.stringify(name.slice(0, 100))} nests too deeply`);
  let level = root;
  for (const [index, segment] of path.entries()) {
    const key = segment === "" ? String(Object.keys(level).length) : segment;
    const existing = level[key];
    if (index === path.length - 1) {
      if (isContainer(existing)) throw conflicting(name);
      level[key] = value;
      return;
    }
    if (existing === undefined) level = level[key] = emptyObject();
    else if (isContainer(existing)) level = existing;
    else throw conflicting(name);
  }
}

function withLists(value: FormValue): FormValue {
  if (!isContainer(value)) return value;
  // Only names 0 to n-1 are a list: metadata may have a key that is a number.
  const names = Object.keys(value);
  if (names.length > 0 && names.every((_, index) => Object.hasOwn(value, String(index)))) {
    return names.map((_, index) => withLists(value[String(index)] as FormValue));
  }
  for (const name of names) value[name] = withLists(value[name] as FormValue);
  return value;
}

function isContainer(value: FormValue | undefined): value is FormObject {
  return typeof value === "object" && !Array.isArray(value);
}

function emptyObject(): FormObject {
  return Object.create(null) as FormObject;
}

function conflicting(name: string) {
  return malformedForm(`parameter ${JSON.stringify(name.slice(0, 100))} is given both as a value and as a container`);
}
