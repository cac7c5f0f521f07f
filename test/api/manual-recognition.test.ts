import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { formOf, FORM_TYPE, sha256Of } from "../support/manuals.ts";
import { listPicturePdf } from "../support/pdf.ts";
import { ADMIN_TOKEN, startSystem, type Answer, type System } from "../support/system.ts";

const PARTS = Array.from({ length: 12 }, (_, n) => [
  `${n + 1}`,
  `${650_900 + 7 * n}`,
  "WASHER, SPRING",
  `${(n % 4) + 1}`,
]);
const RECOGNISED_WITHIN_MS = 120_000;

/** A manual of other numbers, fewer of them: OCR takes seconds of the processor for a page. */
const OTHER_PARTS = PARTS.slice(0, 6);
const createOther = (first: number): Promise<Buffer> =>
  listPicturePdf(
    OTHER_PARTS.map(([item = "", , name = "", quantity = ""], n) => [item, `${first + n}`, name, quantity]),
  );

let content: Buffer;
let withAuto: System;
let withoutOcr: System;
beforeAll(async () => {
  content = await listPicturePdf(PARTS);
  withAuto = await startSystem();
  withoutOcr = await startSystem({ env: { PIPELINE_OCR: "off" } });
}, RECOGNISED_WITHIN_MS);
afterAll(async () => {
  await withAuto?.stop();
  await withoutOcr?.stop();
});

const send = async (system: System, file = content): Promise<string> => {
  const { body } = await system.request("pipeline", "POST", "/api/upload-pdf", {
    rawBody: formOf([{ name: "file", filename: "gearbox.pdf", content: file }]),
    headers: { "Content-Type": FORM_TYPE },
  });
  return body.batch_id;
};
const waitFor = (system: System, batch: string, fits: (job: Answer["body"]) => boolean): Promise<Answer["body"]> =>
  eventually(async () => {
    const { body } = await system.request("pipeline", "GET", `/api/jobs/${batch}`);
    return fits(body) ? body : undefined;
  }, RECOGNISED_WITHIN_MS);

it(
  "a manual with a list as a picture can be used first, and has its parts when the job is completed",
  async () => {
    const batch = await send(withAuto);
    const usable = await waitFor(withAuto, batch, (job) => job.usable === true || job.status === "completed");
    expect(usable).toMatchObject({
      status: "processing",
      usable: true,
      progress: { pages: { done: 1, total: 2 } },
      files: [{ status: "processing", usable: true, parts: 0 }],
    });
    const manual = `/api/manuals/${sha256Of(content)}`;
    expect((await withAuto.request("pipeline", "GET", manual)).body).toMatchObject({ pages: 2, counts: { parts: 0 } });

    const done = await waitFor(withAuto, batch, (job) => job.status === "completed");
    expect(done).toMatchObject({ progress: { pages: { done: 2, total: 2 }, percent: 100 }, files: [{ parts: 12 }] });
    expect([done.usable, done.files[0].usable, done.files[0].note]).toEqual([undefined, undefined, undefined]);
    const { body } = await withAuto.request("pipeline", "GET", `/api/jobs/${batch}/parts?pageSize=50`);
    expect(body.parts.map((part: Answer["body"]) => [part.page, part.part_number, part.quantity])).toEqual(
      PARTS.map(([, number, , quantity]) => [2, number, Number(quantity)]),
    );
    expect((await withAuto.request("pipeline", "GET", manual)).body).toMatchObject({
      counts: { parts: 12, tables: 1 },
    });
  },
  RECOGNISED_WITHIN_MS * 2,
);

it(
  "without OCR, the job says how many pages have lists as pictures, and what to do",
  async () => {
    const job = await waitFor(withoutOcr, await send(withoutOcr), ({ status }) => status === "completed");
    expect(job.files).toMatchObject([
      {
        parts: 0,
        pages_to_check: 1,
        pages_list_pictures: 1,
        recognition_off: true,
        note: "1 page has its list as a picture: switch recognition on (PIPELINE_OCR)",
      },
    ]);
    // The page comes first until somebody has looked at it.
    const manual = `/api/manuals/${sha256Of(content)}`;
    const ask = (method: "GET" | "PUT", path: string) =>
      withoutOcr.request("pipeline", method, `${manual}${path}`, { adminToken: ADMIN_TOKEN });
    const listed = [
      { page: 2, check: "list_picture", recognition: "off" },
      { page: 1, check: null, recognition: null },
    ];
    expect((await ask("GET", "/pages")).body.pages).toMatchObject(listed);
    for (let time = 1; time <= 2; time += 1) expect((await ask("PUT", "/pages/2/confirmed")).status).toBe(202);
    expect((await ask("GET", "/pages/2/findings")).body).toMatchObject({
      check: null,
      corrections: [{ kind: "page" }],
    });
    await eventually(async () => (await ask("GET", "/pages")).body.pages[0].page === 1, RECOGNISED_WITHIN_MS);
  },
  RECOGNISED_WITHIN_MS,
);

describe("while OCR still reads a manual", () => {
  const sendUsable = async (file: Buffer): Promise<string> => {
    const batch = await send(withAuto, file);
    await waitFor(withAuto, batch, (job) => job.usable === true);
    return batch;
  };
  const ask = (method: "GET" | "PATCH" | "DELETE", path: string, body?: object) =>
    withAuto.request("pipeline", method, path, { body, adminToken: ADMIN_TOKEN });

  it(
    "its machine is corrected, and what OCR reads then is of that machine",
    async () => {
      const file = await createOther(720_100);
      const batch = await sendUsable(file);
      const manual = `/api/manuals/${sha256Of(file)}`;
      expect((await ask("PATCH", manual, { equipment: ["TX-900"] })).status).toBeLessThan(300);
      await waitFor(withAuto, batch, ({ status }) => status === "completed");
      const corrected = await eventually(async () => {
        const { body } = await ask("GET", manual);
        return body.equipment[0] === "TX-900" && body.counts.parts === OTHER_PARTS.length ? body : undefined;
      }, RECOGNISED_WITHIN_MS);
      expect(corrected.equipment).toEqual(["TX-900"]);
    },
    RECOGNISED_WITHIN_MS * 2,
  );

  it(
    "a part is added by hand, and is there beside what OCR reads then",
    async () => {
      const file = await createOther(725_100);
      const batch = await sendUsable(file);
      const page = `/api/manuals/${sha256Of(file)}/pages/1`;
      const part = { part_number: "21-9930", description: "CLIP" };
      const added = await withAuto.request("pipeline", "POST", `${page}/parts`, {
        body: part,
        adminToken: ADMIN_TOKEN,
      });
      expect(added.status).toBe(202);
      const done = await waitFor(withAuto, batch, ({ status }) => status === "completed");
      expect(done.files).toMatchObject([{ parts: OTHER_PARTS.length + 1 }]);
      await eventually(async () => (await ask("GET", `${page}/findings`)).body.corrections[0].state === "applied");
      expect((await ask("GET", `${page}/findings`)).body.parts).toMatchObject([part]);
    },
    RECOGNISED_WITHIN_MS * 2,
  );

  it(
    "it is removed, or its job is cancelled, and stays so",
    async () => {
      const [removed, cancelled] = [await createOther(730_100), await createOther(750_100)];
      await sendUsable(removed);
      const isGone = async (): Promise<void> =>
        expect((await ask("GET", `/api/manuals/${sha256Of(removed)}`)).status).toBe(404);
      expect((await ask("DELETE", `/api/manuals/${sha256Of(removed)}`)).status).toBeLessThan(300);
      await isGone();
      const batch = await sendUsable(cancelled);
      expect((await ask("DELETE", `/api/jobs/${batch}`)).body).toMatchObject({ status: "cancelled" });
      // One at a time: what OCR read of them has come when it is done with the next one.
      const later = await send(withAuto, await createOther(760_100));
      await waitFor(withAuto, later, ({ status }) => status === "completed");
      await isGone();
      expect((await ask("GET", `/api/jobs/${batch}`)).body.status).toBe("cancelled");
      expect((await ask("GET", `/api/manuals/${sha256Of(cancelled)}`)).body).toMatchObject({ pages: 2 });
    },
    RECOGNISED_WITHIN_MS * 2,
  );
});
