import { createClient, type Partline } from "@partline/client";
import type { PageRequest } from "./app.ts";

/** The API under a page's own origin. The browser sends its session by cookie. */
export function browserClient(): Partline {
  return createClient({ baseUrl: location.origin, entryPoints: { cart: location.origin } });
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
