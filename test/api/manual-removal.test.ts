import { beforeAll, describe, expect, it } from "@jest/globals";
import { openStream } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { drawnPdf, drawPartsList } from "../support/pdf.ts";
import { sendManual } from "../support/requests.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const PARTS = [
  ["1", "77320-5501", "VORPAL SPINDLE", "3"],
  ["2", "77320-5502", "VORPAL SPACER", "6"],
];

function manual(): Promise<Buffer> {
  return drawnPdf(
    (document) => {
      document.addPage();
      document.fontSize(16).text("Figure 4: Vorpal Spindle", 72, 72);
      document
        .fontSize(10)
        .text("Tighten the vorpal spindle nut to 61 Nm before the first use of the machine.", 72, 100);
      drawPartsList(document, PARTS);
    },
    { autoFirstPage: false, margin: 72, info: { Title: "Meadow VX-8820 Parts Manual", CreationDate: new Date(0) } },
  );
}

describe("a manual that an admin removes", () => {
  const system = useSystem();
  let content: Buffer;
  let sha256: string;
  beforeAll(async () => {
    content = await manual();
    sha256 = sha256Of(content);
  });

  const remove = (
    credentials: object = { adminToken: ADMIN_TOKEN },
    entry: "pipeline" | "gateway" = "gateway",
  ): Promise<Answer> => system.request(entry, "DELETE", `/api/manuals/${sha256}`, credentials);
  const ask = async (query: string): Promise<string> =>
    JSON.stringify((await system.request("ai", "POST", "/api/ai/query", { body: { query } })).body);
  const partsOf = async (): Promise<number> =>
    (await system.request("search", "GET", "/api/ai/equipment?model=VX-8820")).body.parts.length;

  it("is known to nobody any more, and known again when it is sent again", async () => {
    const questions = ["How many vorpal spindles does the VX-8820 have?", "What torque for the vorpal spindle nut?"];
    for (const [entry, run] of [
      ["gateway", 1],
      ["pipeline", 2],
    ] as const) {
      const sent = await eventually(async () => {
        const answer = await sendManual(system, content, { equipment: "VX-8820" });
        return answer.status === 202 && answer;
      }, 30_000);
      expect(sent.body.job_id).toBe(`${sha256}-${run}`);
      await eventually(async () => (await partsOf()) === 2, 60_000);
      for (const question of questions) await eventually(async () => (await ask(question)).includes(sha256));
      const stream = await openStream(`${system.url("pipeline")}/api/jobs/${sent.body.batch_id}/events`);
      await eventually(() => stream.events().at(-1)?.data.status === "completed");
      stream.close();

      expect(await remove(undefined, entry)).toMatchObject({ status: 200, body: { deleted: true } });
      for (const path of ["", "/source.pdf", "/pages/1.txt", "/pages/1.webp", "/tables/1-1.csv"])
        expect((await system.request("gateway", "GET", `/api/manuals/${sha256}${path}`)).status).toBe(404);
      expect((await remove()).status).toBe(404);
      expect(
        (await system.request("pipeline", "GET", `/api/jobs/${sent.body.batch_id}`, { adminToken: ADMIN_TOKEN })).body,
      ).toMatchObject({
        status: "completed",
        files: [{ status: "completed", removed: true }],
      });
      await eventually(async () => (await partsOf()) === 0, 30_000);
      await eventually(
        async () => !(await Promise.all(questions.map(ask))).some((answer) => answer.includes(sha256)),
        30_000,
      );
      for (const answer of await Promise.all(questions.map(ask))) {
        expect(answer).not.toContain("77320-5501");
        expect(answer).not.toContain("61 Nm");
      }
    }
    const { events } = await eventually(async () => {
      const { body } = await system.request("eventstore", "GET", `/events?aggregate_id=manual_${sha256}`, {
        adminToken: ADMIN_TOKEN,
      });
      return body.events.length === 4 && body;
    });
    expect(events.map(({ event_type }: { event_type: string }) => event_type).toSorted()).toEqual([
      "DOCUMENT_CREATED",
      "DOCUMENT_CREATED",
      "DOCUMENT_DELETED",
      "DOCUMENT_DELETED",
    ]);
  }, 240_000);
});
