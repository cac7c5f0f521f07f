import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { drawnPdf, drawPartsList } from "../support/pdf.ts";
import { sendManual } from "../support/requests.ts";
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
    const answer = await sendManual(system, content, fields);
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

  it("has its rows and figures corrected for good, through another reading of the file", async () => {
    const rows = [
      ["1", "31774-8801", "PISTON RING", "1"],
      ["2", "31774-8802", "GUDGEON", "2"],
      ["3", "31774-8803", "NO PART AT ALL", "1"],
    ];
    const content = await list("Stihl TS410 Parts List", rows);
    const sha = sha256Of(content);
    const admin = { adminToken: ADMIN_TOKEN };
    const pageOf = (path = "", method: "GET" | "POST" | "PATCH" | "DELETE" = "GET", body?: object): Promise<Answer> =>
      system.request("gateway", method, `/api/manuals/${sha}/pages/1${path}`, { ...(body && { body }), ...admin });
    const isRead = () => eventually(async () => (await pageOf("/findings")).status === 200, 60_000);
    await send(content, {});
    await isRead();
    const { body: before } = await pageOf("/findings");
    expect(before).toMatchObject({ check: null, recognition: null, error: null, corrections: [] });
    expect(before.figures).toMatchObject([{ label: "1", title: "Fuel System", correction: null }]);
    const [first, second, third] = before.parts;
    expect(first).toMatchObject({ part_number: "31774-8801", reference: "1", models: null, figure: "1" });

    const changes = { part_number: "31774-8810", quantity: 3, models: [{ model: "ts 410", quantity: 3 }] };
    const corrected = await pageOf(`/parts/${first.row}`, "PATCH", changes);
    expect(corrected).toMatchObject({
      status: 202,
      body: {
        kind: "part",
        state: "under_way",
        part: {
          read: { part_number: "31774-8801", quantity: 1 },
          corrected: { part_number: "31774-8810", quantity: 3, description: "PISTON RING" },
        },
      },
    });
    // Who saw the row as it was is not the one to correct it any more.
    const conflict = { status: 409, body: { error: { code: "VERSION_CONFLICT" } } };
    expect(await pageOf(`/parts/${first.row}`, "PATCH", { quantity: 9 })).toMatchObject(conflict);
    expect((await pageOf(`/parts/${third.row}`, "DELETE")).status).toBe(202);
    const added = { part_number: "31774-8899", description: "CIRCLIP", reference: "2A", quantity: 4, figure: "9" };
    expect((await pageOf("/parts", "POST", added)).status).toBe(202);
    expect((await pageOf(`/figures/${before.figures[0].figure}`, "PATCH", { label: "7" })).status).toBe(202);
    const numbersOf = ({ parts }: { parts: { part_number: string }[] }) => parts.map(({ part_number }) => part_number);
    const { body: after } = await pageOf("/findings");
    expect(numbersOf(after)).toEqual(["31774-8810", "31774-8802", "31774-8899"]);
    expect(after.figures).toMatchObject([{ label: "7", title: "Fuel System" }]);
    // The next one names what they saw.
    expect((await pageOf(`/parts/${after.parts[0].row}`, "PATCH", { description: "RING SET" })).status).toBe(202);
    expect(await pageOf(`/parts/${after.parts[0].row}`, "PATCH", { quantity: 9 })).toMatchObject(conflict);

    const holds = async () => {
      const { body } = await pageOf("/findings");
      return body.corrections?.length === 4 && body.corrections.every((c: { state: string }) => c.state === "applied");
    };
    await eventually(holds, 60_000);
    const expected = ["31774-8802", "31774-8810", "31774-8899"];
    await eventually(async () => String((await numbersOn("TS410")).toSorted()) === String(expected), 60_000);
    const { body: equipment } = await system.request("search", "GET", "/api/ai/equipment?model=TS410");
    expect(equipment.parts).toContainEqual(
      expect.objectContaining({ partNumber: "31774-8810", quantity: 3, schema: "Figure 7: Fuel System" }),
    );
    await eventually(async () => (await firstPart("ring set TS410")) === "31774-8810");
    expect((await system.request("gateway", "GET", `/api/manuals/${sha}`)).body.figures).toMatchObject([
      { label: "7" },
    ]);

    const readAgain = () => system.request("gateway", "POST", `/api/manuals/${sha}/readings`, admin);
    const { status, body: job } = await readAgain();
    expect(status).toBe(202);
    expect((await readAgain()).status).toBe(404);
    await eventually(async () => {
      const { body } = await system.request("gateway", "GET", `/api/jobs/${job.batch_id}`, admin);
      return body.status === "completed";
    }, 60_000);
    await isRead();
    expect(await holds()).toBe(true);
    const { body: again } = await pageOf("/findings");
    expect(numbersOf(again)).toEqual(numbersOf(after));
    expect(again.parts.map(({ figure }: { figure: string }) => figure)).toEqual(["7", "7", "9"]);
    expect(again.parts[0]).toMatchObject({ description: "RING SET", quantity: 3 });
    await eventually(async () => String((await numbersOn("TS410")).toSorted()) === String(expected), 60_000);

    const corrections = `/api/manuals/${sha}/corrections`;
    const { body: kept } = await system.request("gateway", "GET", corrections, admin);
    const taken = kept.corrections.find(({ part }: { part?: { corrected: unknown } }) => part?.corrected === null);
    expect(taken.part.read).toMatchObject({ part_number: "31774-8803" });
    expect((await system.request("gateway", "DELETE", `${corrections}/${taken.correction}`, admin)).status).toBe(202);
    await eventually(async () => numbersOf((await pageOf("/findings")).body).includes("31774-8803"), 60_000);

    const { body: pages } = await system.request("gateway", "GET", `/api/manuals/${sha}/pages`, admin);
    expect(pages).toMatchObject({ pages: [{ page: 1, parts: 4, figures: 1, check: null }], pagination: { total: 1 } });
    const audit = `/api/admin/audit?object=manual&objectId=${sha}&pageSize=100`;
    const { body: trail } = await system.request("gateway", "GET", audit, { token: await system.token("admin") });
    const actions = trail.data.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["pipeline.correctPart", "pipeline.addPart", "pipeline.removePart"]),
    );

    // Bad input names its field; customers see and change nothing.
    const wrong: [path: string, method: "PATCH" | "POST", body: object | undefined, field: string][] = [
      [`/parts/${second.row}`, "PATCH", {}, "body"],
      [`/parts/${second.row}`, "PATCH", { part_number: "--" }, "part_number"],
      [`/parts/${second.row}`, "PATCH", { quantity: -1 }, "quantity"],
      [`/parts/${second.row}`, "PATCH", { models: [{ model: "BR600" }] }, "models[0].model"],
      ["/parts", "POST", { description: "X" }, "part_number"],
      ["/parts", "POST", { part_number: "31774-8899", reference: "2A" }, "part_number"],
      [`/figures/${again.figures[0].figure}`, "PATCH", {}, "body"],
      [`/figures/${again.figures[0].figure}`, "PATCH", { label: "", title: "" }, "label"],
    ];
    for (const [path, method, body, field] of wrong)
      expect(await pageOf(path, method, body)).toMatchObject({
        status: 400,
        body: { error: { details: [{ field }] } },
      });
    expect((await pageOf("/parts/nothing", "DELETE")).status).toBe(404);
    const customer = await system.token("customer");
    for (const credentials of [{}, { token: customer }]) {
      const how = { body: { quantity: 2 }, ...credentials };
      const answer = await system.request("gateway", "PATCH", `/api/manuals/${sha}/pages/1/parts/x`, how);
      expect([401, 403]).toContain(answer.status);
    }
  }, 240_000);
});
