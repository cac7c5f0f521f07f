import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { eventually } from "../support/eventually.ts";
import { colourAt, jpegOnItsSide, quarters } from "../support/images.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const system = useSystem();

type Entry = "media" | "gateway";

const put = (
  rawBody: Uint8Array,
  {
    entry = "media",
    adminToken = ADMIN_TOKEN,
    type,
  }: { entry?: Entry; adminToken?: string | null; type?: string } = {},
): Promise<Answer> =>
  system.request(entry, "PUT", "/api/media", {
    rawBody,
    ...(adminToken === null ? {} : { adminToken }),
    ...(type === undefined ? {} : { headers: { "Content-Type": type } }),
  });

/** An image as its bytes: the shared client reads text. */
async function get(
  path: string,
  {
    entry = "media",
    method = "GET",
    headers = {},
  }: { entry?: Entry; method?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${system.url(entry)}${path}`, { method, headers });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

/** Noise does not get small: its file is several pieces of an answer long. */
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

describe("images", () => {
  it("are put, got and deleted", async () => {
    const entry = "gateway";
    const sent = await quarters(320, 200).png().toBuffer();
    const id = createHash("sha256").update(sent).digest("hex");
    const kept = await put(sent, { entry, type: "image/png" });
    expect([kept.status, kept.body]).toEqual([
      200,
      {
        id,
        url: `${system.url("media")}/api/media/${id}`,
        type: "image/png",
        width: 320,
        height: 200,
        bytes: expect.any(Number),
      },
    ]);
    expect((await put(sent, { entry })).body).toEqual(kept.body);
    const image = await fetch(kept.body.url);
    expect(image.status).toBe(200);
    expect(
      Object.fromEntries(
        ["content-type", "content-length", "cache-control", "accept-ranges", "x-content-type-options", "vary"].map(
          (name) => [name, image.headers.get(name)],
        ),
      ),
    ).toEqual({
      "content-type": "image/png",
      "content-length": String(kept.body.bytes),
      "cache-control": "public, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      vary: "Origin",
    });
    const variant = await get(`/api/media/${id}?w=100&h=100&fit=cover&format=auto`, {
      entry,
      headers: { Accept: "image/webp,*/*" },
    });
    expect([variant.headers.get("content-type"), variant.headers.get("vary")]).toEqual([
      "image/webp",
      "Accept, Origin",
    ]);
    expect(await sharp(variant.body).metadata()).toMatchObject({ format: "webp", width: 100, height: 100 });
    expect(await colourAt(variant.body, 90, 5)).toBe("green");

    expect((await system.request(entry, "DELETE", `/api/media/${id}`, { adminToken: ADMIN_TOKEN })).body).toEqual({
      deleted: true,
    });
    for (const path of [`/api/media/${id}`, `/api/media/${id}?w=100&h=100&fit=cover&format=webp`]) {
      const gone = await system.request(entry, "GET", path);
      expect([gone.status, gone.body.error]).toEqual([404, { code: "NOT_FOUND", message: `Image ${id} not found` }]);
    }
    expect((await system.request(entry, "DELETE", `/api/media/${id}`, { adminToken: ADMIN_TOKEN })).status).toBe(404);
  });

  it("are given without what their camera wrote into them", async () => {
    const { id, width, height } = (await put(await jpegOnItsSide())).body;
    expect([width, height]).toEqual([100, 200]);
    const { body } = await get(`/api/media/${id}`);
    expect(body.includes("secret-owner")).toBe(false);
    expect((await sharp(body).metadata()).exif).toBeUndefined();
  });
});

describe("conditions and ranges", () => {
  let id: string;
  let whole: Buffer;
  let etag: string;
  beforeAll(async () => {
    id = (await put(await noise(900, 700))).body.id;
    const first = await get(`/api/media/${id}`);
    [whole, etag] = [first.body, first.headers.get("etag")!];
  });

  it("a large image comes whole, and its tag is made from its content", () => {
    expect(whole.length).toBeGreaterThan(1_500_000);
    expect(etag).toBe(`"${createHash("sha256").update(whole).digest("hex")}"`);
  });

  it("If-None-Match is 304, HEAD has no body, and neither is another image", async () => {
    const same = await get(`/api/media/${id}`, { headers: { "If-None-Match": etag } });
    expect([same.status, same.body.length, same.headers.get("etag"), same.headers.get("cache-control")]).toEqual([
      304,
      0,
      etag,
      "public, max-age=31536000, immutable",
    ]);
    const head = await get(`/api/media/${id}?w=50`, { method: "HEAD" });
    const variant = await get(`/api/media/${id}?w=50`);
    expect([head.status, head.body.length, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
      200,
      0,
      String(variant.body.length),
      variant.headers.get("etag"),
    ]);
    expect((await get(`/api/media/${id}?w=50`, { headers: { "If-None-Match": etag } })).status).toBe(200);
  });

  it("a range is a part, one beyond the end 416, one of another content the whole", async () => {
    const from = whole.length - 1_000_000;
    const part = await get(`/api/media/${id}`, {
      entry: "gateway",
      headers: { Range: `bytes=${from}-`, "If-Range": etag },
    });
    expect([part.status, part.headers.get("content-range"), part.body.equals(whole.subarray(from))]).toEqual([
      206,
      `bytes ${from}-${whole.length - 1}/${whole.length}`,
      true,
    ]);
    const beyond = await get(`/api/media/${id}`, { headers: { Range: `bytes=${whole.length}-` } });
    expect([beyond.status, beyond.headers.get("content-range"), JSON.parse(beyond.body.toString()).error.code]).toEqual(
      [416, `bytes */${whole.length}`, "RANGE_NOT_SATISFIABLE"],
    );
    expect(
      (await get(`/api/media/${id}`, { headers: { Range: "bytes=0-9", "If-Range": '"other"' } })).body.length,
    ).toBe(whole.length);
  });

  it("clients that go away in the middle leave the others served", async () => {
    const { hostname, port } = new URL(system.url("media"));
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /api/media/${id} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, "data");
      socket.destroy();
    }
    expect((await get(`/api/media/${id}`)).body.equals(whole)).toBe(true);
  });
});
describe("what is refused", () => {
  it("an endless upload is refused with the reason and cut off", async () => {
    const url = new URL(system.url("gateway"));
    const socket = connect(Number(url.port), url.hostname);
    const closed = new Promise((resolve) => socket.on("error", () => undefined).on("close", resolve));
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(
      `PUT /api/media HTTP/1.1\r\nHost: ${url.host}\r\nX-Admin-Token: ${ADMIN_TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, 0xff), Buffer.from("\r\n")]);
    let megabytes = 0;
    for (; !socket.destroyed && megabytes < 400; megabytes += 1) {
      if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once("drain", resolve))]);
    }
    await eventually(() => socket.destroyed);
    expect(megabytes).toBeLessThan(400);
    // A client that only sends may lose the answer with its connection; what it gets says why.
    if (answer !== "") expect(answer).toMatch(/^HTTP\/1.1 415 /);
    expect((await put(await quarters(12, 12).png().toBuffer())).status).toBe(200);
  });

  it("ids that are none, wherever they lead, are not found", async () => {
    const id = (await put(await quarters(10, 10).png().toBuffer())).body.id as string;
    for (const path of [
      "..%2f..%2fadmin-token",
      "%2e%2e%2fobjects",
      "x",
      "0".repeat(64),
      id.toUpperCase(),
      `${id}%00`,
      `${id}/`,
      `${id}/original`,
      ".arriving",
    ]) {
      const answer = await system.request("media", "GET", `/api/media/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it.each(["w=0", "w=4001", "w=1.5", "h=-1", "w=10&w=20", "fit=crop", "format=svg", "format=gif"])(
    "?%s is refused by its name",
    async (query) => {
      const id = (await put(await quarters(10, 10).png().toBuffer())).body.id as string;
      const answer = await system.request("media", "GET", `/api/media/${id}?${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.body.error.message).toContain(`'${query.split("=")[0]}'`);
    },
  );
});

describe("when something dies", () => {
  it("a client that hangs up in the middle of a put leaves nothing, and the next put is whole", async () => {
    const sent = await noise(400, 400);
    await beginPut(sent, async (socket) => {
      socket.destroy();
      await once(socket, "close");
    });
    const id = createHash("sha256").update(sent).digest("hex");
    expect((await get(`/api/media/${id}`)).status).toBe(404);
    expect((await put(sent)).body.id).toBe(id);
    expect(await sharp((await get(`/api/media/${id}`)).body).metadata()).toMatchObject({ width: 400, height: 400 });
  });

  /** Sends the first half of an image, and acts when it has arrived. */
  async function beginPut(
    content: Buffer,
    act: (socket: ReturnType<typeof connect>) => Promise<unknown>,
  ): Promise<void> {
    const url = new URL(system.url("media"));
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `PUT /api/media HTTP/1.1\r\nHost: ${url.host}\r\nX-Admin-Token: ${ADMIN_TOKEN}\r\nContent-Length: ${content.length}\r\n\r\n`,
    );
    socket.write(content.subarray(0, content.length >> 1));
    await eventually(() => socket.writableLength === 0);
    await act(socket);
    socket.destroy();
  }
});
