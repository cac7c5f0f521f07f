import type { FileBody } from "./options.ts";

export type Params = Record<string, unknown>;

/** Route as parsed from its text: `GET /api/cart/{cartId} er @cart`. */
export interface Route {
  method: string;
  path: string;
  /**
   * `e` the answer is in an envelope, `r` repeated without harm, `k` with an Idempotency-Key, `f` answers a file, `s`
   * an event stream, `q` an answer while it is made, `b` the body is a file, `m` a form; `-` none of them.
   */
  flags: string;
  /** Entry point of a route that the gateway does not have. */
  entry: string | undefined;
}

export function parseRoute(text: string): Route {
  const [method, path, flags, entry] = text.split(" ") as [string, string, string, string?];
  return { method, path, flags, entry };
}

interface RequestParts {
  /** Path and query. */
  target: string;
  body?: FileBody | FormData;
  /** Content type; a form has its own. */
  type?: string;
}

/** Puts each param in its place. @throws TypeError for a param that the path lacks */
export function buildRequest({ method, path, flags }: Route, params: Params): RequestParts {
  const rest = { ...params };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // As a segment, encoded or not, a URL drops these.
    if (value === undefined || value === null || ["", ".", ".."].includes(toText(value)))
      throw new TypeError(`${name} must be a text other than "", "." and ".."`);
    return encodeURIComponent(toText(value));
  });
  if (flags.includes("m")) return { target: url, body: toForm(rest) };
  if (flags.includes("b")) {
    const { body, contentType, ...query } = rest as { body: FileBody; contentType?: string };
    const type = contentType ?? (body instanceof Blob ? body.type : "");
    return { target: url + toQuery(query), body, type: type || "application/octet-stream" };
  }
  if (method === "GET" || method === "DELETE") return { target: url + toQuery(rest) };
  return Object.keys(rest).length > 0
    ? { target: url, body: JSON.stringify(rest), type: "application/json" }
    : { target: url };
}

function toQuery(params: Params): string {
  const query = new URLSearchParams(toEntries(params) as [string, string][]).toString();
  return query && `?${query}`;
}

function toForm(params: Params): FormData {
  const form = new FormData();
  for (const [name, value] of toEntries(params)) form.append(name, value);
  return form;
}

/** A list's members are entries of one name. */
function toEntries(params: Params): [string, string | Blob][] {
  return Object.entries(params).flatMap(([name, param]) =>
    [param]
      .flat()
      .filter((value) => value !== undefined)
      .map((value): [string, string | Blob] => [name, value instanceof Blob ? value : toText(value)]),
  );
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
