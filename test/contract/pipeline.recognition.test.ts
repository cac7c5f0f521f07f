import { afterAll, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { childrenOf } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { endedJob, sha256Of, upload } from "../support/manuals.ts";
import { drawListPicture, listPicturePdf } from "../support/pdf.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const RECOGNISED_WITHIN_MS = 120_000;

/** OCR takes seconds of the processor for a page: the list is short, and drawn once for all manuals. */
const LIST = Array.from({ length: 6 }, (_, n) => [
  `${n + 1}`,
  `${650_900 + 7 * n}`,
  "WASHER, SPRING",
  `${(n % 4) + 1}`,
]);
const picture = drawListPicture(LIST);
let manuals = 0;
const newManual = async (): Promise<Buffer> =>
  listPicturePdf(await picture, `GT-2254 parts manual, edition ${(manuals += 1)}`);

const started: TestBroker[] = [];
afterAll(() => Promise.all(started.map((system) => system.stop())));

const start = async (env: Record<string, string> = {}): Promise<TestBroker["broker"]> => {
  const system = await startTestBroker({ services: ["pipeline"], settings: testSettings(env) });
  started.push(system);
  return system.broker;
};
const withOcr = start();

const send = async (broker: TestBroker["broker"], content: Buffer): Promise<string> =>
  (await upload(broker, [{ name: "file", filename: "gearbox.pdf", content }])).batch_id;

/** Sends a manual, and resolves once its text can be used while OCR still reads its list. */
async function sendUsable(broker: TestBroker["broker"]) {
  const content = await newManual();
  const batch_id = await send(broker, content);
  const job = await eventually(async () => {
    const seen = await call(broker, "pipeline.job", { batch_id });
    return (seen.usable === true || seen.status === "completed") && seen;
  }, RECOGNISED_WITHIN_MS);
  expect(job).toMatchObject({ status: "processing", usable: true });
  return { batch_id, sha256: sha256Of(content), job };
}

it(
  "a manual with a list as a picture can be used, corrected and added to first, and has its parts when the job is completed",
  async () => {
    const broker = await withOcr;
    const { batch_id, sha256, job } = await sendUsable(broker);
    expect(job).toMatchObject({
      progress: { pages: { done: 1, total: 2 } },
      files: [{ status: "processing", usable: true, parts: 0 }],
    });
    expect(await call(broker, "pipeline.overview", { sha256 })).toMatchObject({ pages: 2, counts: { parts: 0 } });
    await call(broker, "pipeline.correct", { sha256, equipment: ["TX-900"] });
    const added = { part_number: "21-9930", description: "CLIP" };
    await call(broker, "pipeline.addPart", { sha256, page: 1, ...added });

    const done = await endedJob(broker, batch_id, RECOGNISED_WITHIN_MS);
    expect(done).toMatchObject({
      status: "completed",
      progress: { pages: { done: 2, total: 2 }, percent: 100 },
      files: [{ parts: 7 }],
    });
    expect([done.usable, done.files[0]!.usable, done.files[0]!.note]).toEqual([undefined, undefined, undefined]);
    const { parts } = await call(broker, "pipeline.jobParts", { batch_id, pageSize: 50 });
    expect(parts.filter(({ page }) => page === 2).map(({ part_number, quantity }) => [part_number, quantity])).toEqual(
      LIST.map(([, number, , quantity]) => [number, Number(quantity)]),
    );
    await eventually(async () => {
      const { corrections } = await call(broker, "pipeline.pageFindings", { sha256, page: 1 });
      return corrections[0]!.state === "applied";
    });
    expect((await call(broker, "pipeline.pageFindings", { sha256, page: 1 })).parts).toMatchObject([added]);
    const corrected = await eventually(async () => {
      const overview = await call(broker, "pipeline.overview", { sha256 });
      return overview.equipment[0] === "TX-900" && overview.counts.parts === 7 && overview;
    }, RECOGNISED_WITHIN_MS);
    expect(corrected).toMatchObject({ equipment: ["TX-900"], counts: { parts: 7, tables: 1 } });
  },
  RECOGNISED_WITHIN_MS * 2,
);

it(
  "one that is removed while OCR reads it, or whose job is cancelled, stays so",
  async () => {
    const broker = await withOcr;
    const { sha256: removed } = await sendUsable(broker);
    const isGone = () =>
      expect(call(broker, "pipeline.overview", { sha256: removed })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await call(broker, "pipeline.remove", { sha256: removed });
    await isGone();
    const { batch_id, sha256: cancelled } = await sendUsable(broker);
    expect(await call(broker, "pipeline.cancel", { batch_id })).toMatchObject({ status: "cancelled" });
    // One at a time: what OCR read of them has come when it is done with the next one.
    const later = await send(broker, await newManual());
    expect((await endedJob(broker, later, RECOGNISED_WITHIN_MS)).status).toBe("completed");
    await isGone();
    expect((await call(broker, "pipeline.job", { batch_id })).status).toBe("cancelled");
    expect(await call(broker, "pipeline.overview", { sha256: cancelled })).toMatchObject({ pages: 2 });
  },
  RECOGNISED_WITHIN_MS * 2,
);

/** Ends the processes of OCR that start from now on, so many of them, as V8 ends one whose heap is full. */
function exhaustOcr(times: number) {
  const listOcr = (): number[] =>
    childrenOf(process.pid)
      .filter(({ command }) => command.some((word) => word.includes('"languages":["eng"]')))
      .map(({ pid }) => pid);
  const earlier = new Set(listOcr());
  const ended = new Set<number>();
  const timer = setInterval(() => {
    for (const pid of listOcr())
      if (ended.size < times && !earlier.has(pid) && !ended.has(pid) && process.kill(pid, "SIGABRT")) ended.add(pid);
  }, 100);
  return {
    countEnded: () => ended.size,
    stop: () => clearInterval(timer),
  };
}

it(
  "a page for which OCR runs out of memory is read by a fresh process; if that one does, too, it stays without text",
  async () => {
    const broker = await start();
    for (const [times, parts] of [
      [2, 0],
      [1, 6],
    ] as const) {
      const ocr = exhaustOcr(times);
      const batch_id = await send(broker, await newManual());
      const done = await endedJob(broker, batch_id, RECOGNISED_WITHIN_MS);
      ocr.stop();
      expect(ocr.countEnded()).toBe(times);
      expect(done).toMatchObject({ status: "completed", progress: { percent: 100 }, files: [{ parts }] });
      if (parts === 0) expect(done.files[0]).toMatchObject({ pages_to_check: 1, note: expect.any(String) });
    }
  },
  RECOGNISED_WITHIN_MS * 2,
);

it("without OCR, the job says how many pages have lists as pictures, and what to do", async () => {
  const broker = await start({ PIPELINE_OCR: "off" });
  const content = await newManual();
  const sha256 = sha256Of(content);
  const { files } = await endedJob(broker, await send(broker, content));
  expect(files).toMatchObject([
    {
      parts: 0,
      pages_to_check: 1,
      pages_list_pictures: 1,
      recognition_off: true,
      note: "1 page has its list as a picture: switch recognition on (PIPELINE_OCR)",
    },
  ]);
  // The page comes first until somebody has looked at it.
  const listed = async () => (await call(broker, "pipeline.pages", { sha256 })).pages;
  expect(await listed()).toMatchObject([
    { page: 2, check: "list_picture", recognition: "off" },
    { page: 1, check: null, recognition: null },
  ]);
  for (let time = 1; time <= 2; time += 1) await call(broker, "pipeline.confirmPage", { sha256, page: 2 });
  expect(await call(broker, "pipeline.pageFindings", { sha256, page: 2 })).toMatchObject({
    check: null,
    corrections: [{ kind: "page" }],
  });
  await eventually(async () => (await listed())[0]!.page === 1);
});
