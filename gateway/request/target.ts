const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Splits a request target; a proxy may send the absolute form (RFC 9112, 3.2.2). */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = target.startsWith("/") ? undefined : ORIGIN.exec(target)?.[0];
  const local = origin === undefined ? target : target.slice(origin.length) || "/";
  const mark = local.indexOf("?");
  return mark === -1 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}
