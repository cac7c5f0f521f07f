import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { startSystem, type System } from "../support/system.ts";

const READ_WITHIN_MS = 90_000;

describe("a fresh start", () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ readsSamples: true });
  });
  afterAll(() => system?.stop());

  const allRead = (count: number) =>
    eventually(async () => {
      const { body } = await system.request("pipeline", "GET", "/api/jobs");
      const { jobs } = body as { jobs: { status: string }[] };
      return jobs.length === count && jobs.every(({ status }) => status === "completed");
    }, READ_WITHIN_MS);
  const partsOf = (model: string) =>
    eventually(async () => {
      const { body } = await system.request("ai", "GET", `/api/ai/equipment?pageSize=100&model=${model}`);
      const { parts } = body as { parts: { partNumber: string; page: number; productId: string | null }[] };
      return parts.length > 0 && parts;
    }, READ_WITHIN_MS);

  it(
    "has read two sample manuals, whose parts the catalog has",
    async () => {
      await allRead(2);
      expect(await partsOf("GT-2254")).toContainEqual(
        expect.objectContaining({ partNumber: "595822", page: 7, productId: "bns-595822" }),
      );
      expect((await partsOf("CH-740S")).length).toBeGreaterThan(20);
    },
    2 * READ_WITHIN_MS,
  );

  it("answers from them what a mechanic asks", async () => {
    const { status, body } = await system.request("ai", "POST", "/api/ai/query", {
      body: { query: "What carburetor fits my GT-2254?" },
    });
    expect(status).toBe(200);
    expect(body.parts).toContainEqual(
      expect.objectContaining({
        part_number: "595822",
        quantity: 1,
        pdf_link: expect.stringMatching(/#page=7$/),
        available_for_purchase: true,
      }),
    );
  });

  it(
    "knows the third once that is uploaded, and does not send the others again at a restart",
    async () => {
      const third = new Uint8Array(
        await (await fetch(`${system.sandboxUrl("dealer")}/manuals/third.pdf`)).arrayBuffer(),
      );
      const form = new FormData();
      form.set("file", new File([third], "third.pdf", { type: "application/pdf" }));
      expect((await fetch(`${system.url("pipeline")}/api/upload-pdf`, { method: "POST", body: form })).status).toBe(
        202,
      );
      await allRead(3);
      expect((await partsOf("HM-722D")).length).toBeGreaterThan(10);
      await system.kill();
      await system.start();
      await allRead(3);
    },
    3 * READ_WITHIN_MS,
  );
});
