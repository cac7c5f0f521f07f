import { connect } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { quarters } from "../support/images.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const system = useSystem();

const put = (rawBody: Uint8Array): Promise<Answer> =>
  system.request("media", "PUT", "/api/media", { rawBody, adminToken: ADMIN_TOKEN });

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
