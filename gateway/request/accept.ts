/** The quality and place of a type in an Accept header; undefined if it is not named. */
function wish(accept: string, type: string): { quality: number; place: number } | undefined {
  for (const [place, part] of accept.split(",").entries()) {
    const [name = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (name !== type) continue;
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
    return { quality: Number.isFinite(quality) ? quality : 0, place };
  }
  return undefined;
}

/** Whether a client names event streams, and prefers them to JSON. */
export function prefersEventStream(accept: string | undefined): boolean {
  const stream = wish(accept ?? "", "text/event-stream");
  if (!stream || stream.quality <= 0) return false;
  const json = wish(accept!, "application/json");
  return !json || stream.quality > json.quality || (stream.quality === json.quality && stream.place < json.place);
}
