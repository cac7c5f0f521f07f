/** How much a type is wanted, from 0 to 1, and its place; undefined where it is not named itself. */
function wish(accept: string, type: string): { quality: number; place: number } | undefined {
  for (const [place, part] of accept.split(",").entries()) {
    const [name = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (name !== type) continue;
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
    return { quality: Number.isFinite(quality) ? quality : 0, place };
  }
  return undefined;
}

/** Whether a client asks for an event stream by name, and for JSON less, or behind it. */
export function prefersEventStream(accept: string | undefined): boolean {
  const stream = wish(accept ?? "", "text/event-stream");
  if (!stream || stream.quality <= 0) return false;
  const json = wish(accept!, "application/json");
  return !json || stream.quality > json.quality || (stream.quality === json.quality && stream.place < json.place);
}
