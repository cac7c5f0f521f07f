import { createClient, type Partline } from "@partline/client";
import type { PageRequest } from "./app.ts";

type EntryPoints = NonNullable<Parameters<typeof createClient>[0]["entryPoints"]>;

/** The API under a page's own origin, also of these entry points. The browser sends its session by cookie. */
export function browserClient(...entryPoints: (keyof EntryPoints)[]): Partline {
  const { origin } = location;
  return createClient({
    baseUrl: origin,
    entryPoints: Object.fromEntries(entryPoints.map((entry) => [entry, origin])),
  });
}

/** The same for the server's half of a page; it repeats nothing, since somebody waits. */
export function serverClient({ url, headers }: PageRequest["api"]): Partline {
  return createClient({
    baseUrl: url,
    entryPoints: { cart: url },
    retries: 0,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
  });
}
