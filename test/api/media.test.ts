import { createHash } from "node:crypto";
import { connect } from "node:net";
import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { eventually } from "../support/eventually.ts";
import { colourAt, quarters } from "../support/images.ts";
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
      `${id}/original`,
      ".arriving",
    ]) {
      const answer = await system.request("media", "GET", `/api/media/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
