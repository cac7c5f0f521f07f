import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isForeignOrigin } from "../../mixins/this-machine.ts";

/**
 * Returns whether a request may come from a web page of elsewhere: its Origin is not this very address, or its Host
 * is a name that such a page can have, which leads here (DNS rebinding). An address is no such name, nor is one
 * without a dot (`localhost`, a container's), nor what the sandbox listens on.
 */
export function isForeignPage(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  listensOn: string,
): boolean {
  const name = host === undefined ? "" : (URL.parse(`http://${host}`)?.hostname ?? "");
  const own = isIP(name.replaceAll(/[[\]]/g, "")) !== 0 || /^[\w-]+$/.test(name) || name === listensOn;
  return !own || isForeignOrigin(origin, host);
}
