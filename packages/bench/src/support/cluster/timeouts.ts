/**
 * The processes behind the gateways that requests waited for until their time was over, by X-Request-Id. A 504 that is
 * not among them was given up with its node.
 */
export type Timeouts = ReadonlyMap<string, ReadonlySet<string>>;

const TIMED_OUT = /^Request '.+' is timed out\.$/;
const READY = /is ready after .*\(node ([^,\s]+),/g;

/**
 * What processes printed has, among others, a line of JSON for each call whose time was over (Moleculer's timeout
 * middleware): at the node that called it names the one that was called, and there the one that called.
 */
export function timeoutsIn({ gateways, others }: Record<"gateways" | "others", readonly string[]>): Timeouts {
  const callers = new Set(gateways.flatMap((output) => [...output.matchAll(READY)].map(([, node]) => node)));
  const timeouts = new Map<string, Set<string>>();
  for (const line of [...gateways, ...others].flatMap((output) => output.split("\n"))) {
    if (!line.includes(" is timed out.")) continue;
    const { msg, request_id: requestId, nodeID } = parsed(line);
    if (
      typeof msg !== "string" ||
      !TIMED_OUT.test(msg) ||
      typeof requestId !== "string" ||
      typeof nodeID !== "string" ||
      callers.has(nodeID)
    )
      continue;
    timeouts.set(requestId, (timeouts.get(requestId) ?? new Set()).add(nodeID));
  }
  return timeouts;
}

/** A process that was killed may have broken off in the middle of a line. */
function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
