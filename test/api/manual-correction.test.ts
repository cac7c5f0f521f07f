import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { formOf, FORM_TYPE, sha256Of } from "../support/manuals.ts";
import { drawnPdf, drawPartsList } from "../support/pdf.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

/** A parts list of one page, with its maker and model in the title. */
function list(title: string, rows: readonly (readonly string[])[]): Promise<Buffer> {
  return drawnPdf(
    (document) => {
      document.addPage();
      document.fontSize(20).text(title, 72, 60);
      document.fontSize(16).text("Figure 1: Fuel System", 72, 100);
      drawPartsList(document, rows);
    },
    { autoFirstPage: false, margin: 72, info: { Title: title, CreationDate: new Date(0) } },
  );
}

describe("a manual that was uploaded as another machine's", () => {
  const system = useSystem();
  let sha256: string;
  beforeAll(async () => {
    await send(
      await list("Kawasaki QX-4410 Parts Manual", [
        ["1", "77410-6601", "CARBURETOR", "1"],
        ["2", "77410-6602", "FUEL FILTER", "1"],
      ]),
      {},
    );
    const blower = await list("Stihl BR600 Parts List", [
      ["1", "4282-120-0606", "CARBURETOR C1Q-S69", "1"],
      ["2", "4282-120-0607", "INTAKE GASKET", "2"],
    ]);
    sha256 = sha256Of(blower);
    await send(blower, { equipment: "QX-4410", manufacturer: "Kohler" });
    await eventually(async () => (await numbersOn("QX-4410")).length === 4, 60_000);
  });

  const send = async (content: Buffer, fields: Record<string, string>): Promise<{ batch_id: string }> => {
    const parts = [
      ...Object.entries(fields).map(([name, value]) => ({ name, value })),
      { name: "file", filename: "list.pdf", content },
    ];
    const answer = await system.request("pipeline", "POST", "/api/upload-pdf", {
      rawBody: formOf(parts),
      headers: { "Content-Type": FORM_TYPE },
      adminToken: ADMIN_TOKEN,
    });
    expect(answer.status).toBe(202);
    return answer.body;
  };
  const correct = (body: object, credentials: object = { adminToken: ADMIN_TOKEN }, sha = sha256): Promise<Answer> =>
    system.request("gateway", "PATCH", `/api/manuals/${sha}`, { body, ...credentials });
  const numbersOn = async (model: string): Promise<string[]> => {
    const { status, body } = await system.request("search", "GET", `/api/ai/equipment?model=${model}`);
    return status === 200 ? body.parts.map(({ partNumber }: { partNumber: string }) => partNumber) : [];
  };
  const firstPart = async (query: string): Promise<string | undefined> =>
    (await system.request("ai", "POST", "/api/ai/query", { body: { query } })).body.parts[0]?.part_number;

  it("is known for its own once an admin has corrected it", async () => {
    expect(await correct({ equipment: null, manufacturer: null })).toMatchObject({
      status: 202,
      body: { sha256, equipment: null, manufacturer: null },
    });
    await eventually(async () => (await numbersOn("QX-4410")).length === 2, 60_000);
    expect((await numbersOn("BR600")).toSorted()).toEqual(["4282-120-0606", "4282-120-0607"]);
    const manual = (await system.request("gateway", "GET", `/api/manuals/${sha256}`)).body;
    expect(manual).toMatchObject({ equipment: ["BR600"], manufacturer: "Stihl" });
    expect(manual).not.toHaveProperty("correction");
    await eventually(async () => (await firstPart("carburetor QX-4410")) === "77410-6601");
    await eventually(async () => (await firstPart("carburetor BR600")) === "4282-120-0606");

    const named = { equipment: ["BR800"] };
    await eventually(async () => (await correct(named)).status === 202);
    await eventually(async () => (await numbersOn("BR800")).length === 2, 60_000);
    expect(await numbersOn("BR600")).toEqual([]);
    expect((await system.request("gateway", "GET", `/api/manuals/${sha256}`)).body).toMatchObject({
      ...named,
      manufacturer: "Stihl",
    });
    const { body } = await system.request("eventstore", "GET", `/events?aggregate_id=manual_${sha256}`, {
      adminToken: ADMIN_TOKEN,
    });
    expect(body.events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      "DOCUMENT_CREATED",
      "DOCUMENT_CREATED",
      "DOCUMENT_CREATED",
    ]);
  }, 240_000);

  it("is corrected by admins alone, and by what a manual can be", async () => {
    const customer = await system.token("customer");
    expect([
      (await correct({ manufacturer: null }, {})).status,
      (await correct({ manufacturer: null }, { token: customer })).status,
    ]).toEqual([401, 403]);
    for (const [body, field] of [
      [{}, "body"],
      [{ model: "BR600" }, "model"],
      [{ equipment: [] }, "equipment"],
      [{ equipment: [" "] }, "equipment"],
      [{ manufacturer: "" }, "manufacturer"],
    ] as const) {
      expect(await correct(body)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_FAILED", details: [{ field }] } },
      });
    }
    expect((await correct({ manufacturer: null }, { adminToken: ADMIN_TOKEN }, "0".repeat(64))).status).toBe(404);
  });

  it("is asked for where the manual does not say it, and found by the answer", async () => {
    const rows = [["1", "90210-771", "Impeller", "2"]];
    const nameless = await list("Spare Parts", rows);
    const { batch_id } = await send(nameless, {});
    const readFile = async () => {
      const { body } = await system.request("pipeline", "GET", `/api/jobs/${batch_id}`, { adminToken: ADMIN_TOKEN });
      return body.files[0];
    };
    await eventually(async () => (await readFile()).status === "completed", 60_000);
    expect(await readFile()).toMatchObject({
      parts: 1,
      models: 0,
      equipment: [],
      unsure: { equipment: [], manufacturer: [] },
    });
    const sha = sha256Of(nameless);
    const { body: before } = await system.request("gateway", "GET", `/api/manuals/${sha}`);
    expect(before).toMatchObject({ equipment: [], unsure: { equipment: [], manufacturer: [] } });

    expect(await correct({ equipment: ["VORTEX-88"], manufacturer: "Acquaviva" }, undefined, sha)).toMatchObject({
      status: 202,
    });
    await eventually(async () => (await firstPart("impeller for the VORTEX-88")) === "90210-771", 60_000);
    const { body: after } = await system.request("gateway", "GET", `/api/manuals/${sha}`);
    expect(after).toMatchObject({ equipment: ["VORTEX-88"], manufacturer: "Acquaviva" });
    expect(after).not.toHaveProperty("unsure");
    expect(await readFile()).toMatchObject({ models: 1, equipment: ["VORTEX-88"], manufacturer: "Acquaviva" });
  });
});
