import { createHash } from "node:crypto";
import { request as httpRequest, type ClientRequest } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { describe, expect, it } from "@jest/globals";
import { MAX_UPLOAD_BYTES } from "../../services/pipeline/limits.ts";
import { openStream } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { formOf, FORM_TYPE, manualPdf, sha256Of, type FormPart } from "../support/manuals.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";
import { useSystem } from "../support/use-started.ts";

const system = useSystem();

type Entry = "pipeline" | "gateway";

const send = (
  parts: readonly FormPart[],
  {
    entry = "pipeline",
    admin = entry === "gateway",
    type = FORM_TYPE,
  }: { entry?: Entry; admin?: boolean; type?: string } = {},
): Promise<Answer> =>
  system.request(entry, "POST", "/api/upload-pdf", {
    rawBody: formOf(parts),
    headers: { "Content-Type": type },
    ...(admin ? { adminToken: ADMIN_TOKEN } : {}),
  });
const pdf = (content: Uint8Array, filename = "manual.pdf"): FormPart => ({ name: "file", filename, content });
const ended = (batchId: string): Promise<Answer["body"]> =>
  eventually(async () => {
    const { body } = await system.request("pipeline", "GET", `/api/jobs/${batchId}`);
    return ["queued", "processing"].includes(body.status) ? undefined : body;
  }, 60_000);
const read = async (content: Uint8Array, filename?: string): Promise<Answer["body"]> =>
  ended((await send([pdf(content, filename)])).body.batch_id);

describe("an upload", () => {
  it("is read in the background", async () => {
    const entry = "gateway";
    const content = await manualPdf({ pages: 23, title: `Through ${entry}` });
    const sha256 = sha256Of(content);
    const answer = await send(
      [{ name: "equipment", value: "GT-2254" }, pdf(content, "GT 2254.pdf"), { name: "manufacturer", value: "Acme" }],
      { entry },
    );
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        batch_id: expect.stringMatching(/^batch_/),
        job_id: expect.any(String),
        filename: "GT 2254.pdf",
        sha256,
        status: "queued",
      },
    ]);
    const { batch_id } = answer.body;
    expect(await ended(batch_id)).toMatchObject({
      batch_id,
      status: "completed",
      progress: { files: { done: 1, total: 1 }, pages: { done: 23, total: 23 }, percent: 100, eta_seconds: 0 },
      files: [{ name: "GT 2254.pdf", sha256, status: "completed", pages: 23, parts: 46 }],
    });
    const admin = { adminToken: ADMIN_TOKEN };
    const parts = await system.request("gateway", "GET", `/api/jobs/${batch_id}/parts?pageSize=50`, admin);
    expect(parts.body.pagination).toEqual({ page: 1, pageSize: 50, total: 46, totalPages: 1 });

    const event = await eventually(
      async () => (await system.request("eventstore", "GET", `/events?aggregate_id=manual_${sha256}`)).body.events[0],
    );
    expect(event).toMatchObject({
      event_type: "DOCUMENT_CREATED",
      aggregate_type: "document",
      data: {
        sha256,
        filename: "GT 2254.pdf",
        equipment: ["GT-2254"],
        manufacturer: "Acme",
        pages: 23,
        parts: 46,
        object_prefix: `manuals/${sha256}/`,
        embedding_model: "lexical",
      },
    });
  });

  const post = (
    headers: Record<string, string | number>,
    write: (request: ClientRequest) => void,
  ): Promise<[status: number, code: string, connection?: string]> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        `${system.url("gateway")}/api/upload-pdf`,
        {
          method: "POST",
          headers: { "Content-Type": FORM_TYPE, "X-Admin-Token": ADMIN_TOKEN, ...headers },
          agent: false,
        },
        (response) =>
          void readJson(response).then(
            (body) => resolve([response.statusCode!, (body as Answer["body"]).error.code, response.headers.connection]),
            reject,
          ),
      );
      write(request.on("error", reject));
    });

  it("of more than 100 MB is refused while it arrives", async () => {
    const whole = formOf([pdf(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(10)]))]);
    const [head, tail] = [whole.subarray(0, whole.indexOf("%PDF") + 9), whole.subarray(-40)];
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const answer = await post({}, async (request) => {
      request.write(head);
      for (let sent = 0; sent <= MAX_UPLOAD_BYTES; sent += chunk.length)
        if (!request.write(chunk)) await new Promise((drained) => request.once("drain", drained));
      request.end(tail);
    });
    expect(answer).toEqual([413, "PAYLOAD_TOO_LARGE", "close"]);
  }, 60_000);

  it("that announces far more is refused before it is sent", async () => {
    const answer = await post({ "Content-Length": 99_000_000_000 }, (request) => request.flushHeaders());
    expect(answer).toEqual([413, "PAYLOAD_TOO_LARGE", "close"]);
  });
});

describe("a job", () => {
  it("sends its progress as events, and goes on where a client comes back", async () => {
    const {
      body: { batch_id },
    } = await send([pdf(await manualPdf({ pages: 60, title: "Followed" }))]);
    const path = `${system.url("pipeline")}/api/jobs/${batch_id}/events`;
    const stream = await openStream(path);
    expect([stream.status, stream.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const events = await eventually(
      () => stream.events().at(-1)?.data.status === "completed" && stream.events(),
      60_000,
    );
    await stream.ended;
    expect(events.at(-1)!.data).toMatchObject({ batch_id, progress: { percent: 100, pages: { done: 60, total: 60 } } });
    expect(events.map(({ id }) => id)).toEqual(
      [...new Set(events.map(({ id }) => id))].sort((one, other) => one - other),
    );
    const back = await openStream(path, { "Last-Event-ID": String(events.at(-1)!.id - 1) });
    expect((await back.has(1))[0]!.id).toBe(events.at(-1)!.id);
    await back.ended;
    const over = await openStream(path, { "Last-Event-ID": String(events.at(-1)!.id) });
    await over.ended;
    expect([over.status, over.text()]).toEqual([204, ""]);
  });
});

describe("the files of a manual", () => {
  it("are served to everybody, and nothing beside them", async () => {
    const entry = "gateway";
    const content = await manualPdf({ pages: 3, title: `Files through ${entry}` });
    const sha256 = sha256Of(content);
    expect((await read(content, "Schläger GT.pdf")).status).toBe("completed");
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${system.url(entry)}/api/manuals/${sha256}/${path}`, { headers });
      return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
    };
    const source = await get("source.pdf");
    expect(createHash("sha256").update(source.body).digest("hex")).toBe(sha256);
    expect(
      Object.fromEntries(
        [
          "content-type",
          "etag",
          "content-disposition",
          "content-security-policy",
          "accept-ranges",
          "x-content-type-options",
        ].map((name) => [name, source.headers.get(name)]),
      ),
    ).toEqual({
      "content-type": "application/pdf",
      etag: `"${sha256}"`,
      "content-disposition": `inline; filename="Schl_ger GT.pdf"; filename*=UTF-8''Schl%C3%A4ger%20GT.pdf`,
      "content-security-policy": "sandbox",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    const part = await get("source.pdf", { Range: "bytes=0-7" });
    expect([part.status, part.body.toString("latin1").slice(0, 5), part.headers.get("content-range")]).toEqual([
      206,
      "%PDF-",
      `bytes 0-7/${content.length}`,
    ]);
    expect((await get("source.pdf", { "If-None-Match": `"${sha256}"` })).status).toBe(304);
    const drawn = await Promise.all([get("pages/2.webp"), get("pages/2.webp")]);
    for (const page of drawn)
      expect([page.status, page.headers.get("content-type"), page.body.subarray(8, 12).toString()]).toEqual([
        200,
        "image/webp",
        "WEBP",
      ]);
    expect((await get("pages/2.webp", { "If-None-Match": drawn[0].headers.get("etag")! })).status).toBe(304);
    const { body: overview } = await system.request(entry, "GET", `/api/manuals/${sha256}`);
    expect(overview).toMatchObject({
      sha256,
      filename: "Schläger GT.pdf",
      pages: 3,
      counts: { parts: 6, tables: 3, images: 0 },
      tables: [
        { page: 1, index: 1 },
        { page: 2, index: 1 },
        { page: 3, index: 1 },
      ],
    });
    const table = overview.tables[1];
    const [csv, json, text] = [
      await get(table.csv.split(`${sha256}/`)[1]),
      await get(table.json.split(`${sha256}/`)[1]),
      await get("pages/2.txt"),
    ];
    expect([csv.status, csv.headers.get("content-type"), csv.body.toString()]).toEqual([
      200,
      "text/csv; charset=utf-8",
      expect.stringContaining("SPRING, RETURN"),
    ]);
    expect([json.status, json.headers.get("content-type"), JSON.parse(json.body.toString()).rows[1][2]]).toEqual([
      200,
      "application/json",
      "SPRING, RETURN",
    ]);
    expect([text.status, text.headers.get("content-type"), text.body.toString()]).toEqual([
      200,
      "text/plain; charset=utf-8",
      expect.stringContaining("sheet 2"),
    ]);
    expect((await system.request(entry, "GET", `/api/manuals/${"0".repeat(64)}`)).status).toBe(404);
    for (const path of [
      "tables/2-2.csv",
      "tables/4-1.csv",
      "tables/2-1.xml",
      "pages/4.txt",
      "pages/4.webp",
      "pages/0.webp",
      "pages/2.png",
      "images/1-1.webp",
      "images/%2e%2e%2fsource.pdf",
      "parts.json",
      "source.pdf/x",
    ])
      expect((await get(path)).status).toBe(404);
    expect((await fetch(`${system.url(entry)}/api/manuals/${"0".repeat(64)}/source.pdf`)).status).toBe(404);
  });
});
