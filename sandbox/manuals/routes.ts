import { readSample } from "../samples.ts";
import type { Exchange } from "../server/http-server.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import { SAMPLE_MANUALS, SAMPLE_NAMES } from "./samples.ts";

/** Routes of a maker: `GET /manuals` lists manuals; no start reads `GET /manuals/third.pdf`. */
export const manualRoutes: Routes = {
  "GET /manuals": () =>
    jsonReply(200, {
      manuals: SAMPLE_NAMES.map((name) => ({ file: `/manuals/${name}`, about: SAMPLE_MANUALS[name].about })),
    }),
  "GET /manuals/:name": manual,
};

function manual({ params }: Exchange): Reply {
  const name = SAMPLE_NAMES.find((each) => each === params.name);
  if (name === undefined) return jsonReply(404, { error: "Not found" });
  return { status: 200, headers: { "content-type": "application/pdf" }, body: readSample(`manuals/${name}`) };
}
