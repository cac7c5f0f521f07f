import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isForeignOrigin } from "../../mixins/this-machine.ts";

/**
 * Whether a request may come from a web page of another site: its Origin is another one, or its Host is a name that such
 * a page can point here (DNS rebinding). An address is not such a name, and neither is one without a dot (`localhost`, a
 * container's) or the one that the sandbox listens on.
 */
export function isForeignPage(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  listensOn: string,
): boolean {
  const name = host === undefined ? "" : (URL.parse(`http://${host}`)?.hostname ?? "");
  const own = isIP(name.replaceAll(/[[\]]/g, "")) !== 0 || /^[\w-]+$/.test(name) || name === listensOn;
  return !own || isForeignOrigin(origin, host);
}
