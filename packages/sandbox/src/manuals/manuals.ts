import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type FillMark, type MarkedStore, markIn } from "../catalog/fill.ts";
import { readSample } from "../samples.ts";
import { type Exchange, type Reply, type Routes, createJsonReply } from "../server/http-server.ts";

export const SAMPLE_MANUALS = {
  "gt-2254.pdf": { about: "Briggs & Stratton garden tractors GT-2254 and GT-2260", isRead: true },
  "ch-740s.pdf": { about: "Kohler engine CH-740S", isRead: true },
  "third.pdf": { about: "Ventrac mower deck HM-722D", isRead: false },
} as const satisfies Record<
  string,
  {
    about: string;
    /** The first start has it read; the others are there for a newcomer to upload. */
    isRead: boolean;
  }
>;

type SampleName = keyof typeof SAMPLE_MANUALS;

export const SAMPLE_NAMES = Object.keys(SAMPLE_MANUALS) as SampleName[];

/** Routes of a maker: `GET /manuals` lists manuals; no start reads `GET /manuals/third.pdf`. */
export const manualRoutes: Routes = {
  "GET /manuals": () =>
    createJsonReply(200, {
      manuals: SAMPLE_NAMES.map((name) => ({ file: `/manuals/${name}`, about: SAMPLE_MANUALS[name].about })),
    }),
  "GET /manuals/:name": serveManual,
};

function serveManual({ params }: Exchange): Reply {
  const name = SAMPLE_NAMES.find((sampleName) => sampleName === params.name);
  if (name === undefined) return createJsonReply(404, { error: "Not found" });
  return { status: 200, headers: { "content-type": "application/pdf" }, body: readSample(`manuals/${name}`) };
}

interface ManualsToFill {
  isEmpty(): Promise<boolean>;
  upload(name: SampleName, pdf: Uint8Array): Promise<unknown>;
}

interface ManualMarks {
  /** The sending has begun and not ended. */
  sending: FillMark;
  /** The sending has ended. */
  sent: FillMark;
}

export function createManualMarks(store: MarkedStore): ManualMarks {
  return { sending: markIn(store, "manuals-sandbox-sending"), sent: markIn(store, "manuals-sandbox-sent") };
}

/**
 * Sends the sample manuals to a pipeline that has read none, and returns their number. An interrupted sending is
 * repeated: the pipeline does not read the same bytes twice.
 */
export async function fillManuals(pipeline: ManualsToFill, { sending, sent: sentMark }: ManualMarks): Promise<number> {
  if (await sentMark.isSet()) return 0;
  if (!(await sending.isSet()) && !(await pipeline.isEmpty())) return 0;
  await sending.set();
  const names = SAMPLE_NAMES.filter((name) => SAMPLE_MANUALS[name].isRead);
  for (const name of names) await pipeline.upload(name, readSample(`manuals/${name}`));
  await sentMark.set();
  await sending.clear();
  return names.length;
}

export function createForm(filename: string, pdf: Uint8Array): { contentType: string; stream: Readable } {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(pdf)], filename, { type: "application/pdf" }));
  const { headers, body } = new Response(form);
  return { contentType: headers.get("content-type")!, stream: Readable.fromWeb(body as ReadableStream) };
}
