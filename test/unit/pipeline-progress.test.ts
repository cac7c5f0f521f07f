import fc from "fast-check";
import { describe, expect, test } from "@jest/globals";
import type { JobDocument, ReadingDocument } from "../../services/pipeline/collections.ts";
import { isOver, deriveJobState, describeLostPages, deriveStatus } from "../../services/pipeline/jobs/progress.ts";
import { FILE_STATUSES, type FileStatus } from "../../services/pipeline/resources.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

const reading = (id: string, fields: Partial<ReadingDocument> = {}): ReadingDocument => ({
  _id: id,
  sha256: id.slice(0, 64),
  run: 1,
  status: "queued",
  filename: "a.pdf",
  equipment: [],
  wantedBy: ["b"],
  revision: 1,
  readPages: 0,
  done: [],
  parts: 0,
  tables: 0,
  images: 0,
  lost: {},
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
});
const jobOf = (readings: readonly ReadingDocument[], fields: Partial<JobDocument> = {}): JobDocument => ({
  _id: "batch",
  files: Object.fromEntries(readings.map(({ _id }, index) => [`f${index}`, { name: `${index}.pdf`, reading: _id }])),
  revision: 1,
  createdAt: at(0),
  updatedAt: at(0),
  expiresAt: at(1_000),
  ...fields,
});
const stateOf = (readings: readonly ReadingDocument[], fields?: Partial<JobDocument>, now = at(10)) =>
  deriveJobState(jobOf(readings, fields), new Map(readings.map((one) => [one._id, one])), now);

const progressOf = (done: number, total: number, pagesDone: number, pages: number) => ({
  files: { done, total },
  pages: { done: pagesDone, total: pages },
});

const active: FileStatus[] = ["queued", "processing"];

describe("a job's status", () => {
  const statuses = (...list: FileStatus[]) =>
    deriveStatus(
      list.map((status) => ({ status })),
      false,
    );

  test("is over when all its files are, and mixed where they differ", () => {
    expect(statuses()).toBe("completed");
    expect(statuses("queued", "queued")).toBe("queued");
    expect(statuses("queued", "completed")).toBe("processing");
    expect(statuses("processing")).toBe("processing");
    expect(statuses("completed", "completed")).toBe("completed");
    expect(statuses("failed", "failed")).toBe("failed");
    expect(statuses("failed", "completed")).toBe("partially_failed");
    expect(statuses("partially_failed")).toBe("partially_failed");
    expect(statuses("cancelled", "cancelled")).toBe("cancelled");
    expect(statuses("completed", "cancelled")).toBe("partially_failed");
  });

  test("is over exactly when no file is under way", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FILE_STATUSES), { minLength: 1 }), (list) => {
        expect(isOver(statuses(...list))).toBe(!list.some((status) => active.includes(status)));
      }),
    );
  });
});

describe("a job's progress", () => {
  test("goes by pages, and says how long it takes yet", () => {
    const state = stateOf([reading("a", { status: "processing", pages: 100, readPages: 25, startedAt: at(0) })]);
    expect(state.progress).toEqual({ ...progressOf(0, 1, 25, 100), percent: 25, eta_seconds: 30 });
  });

  test("counts a file that is not opened yet like the others on average", () => {
    const begun = reading("a", { status: "processing", pages: 10, readPages: 5, startedAt: at(0) });
    const state = stateOf([begun, reading("b")]);
    expect(state.progress).toEqual({ ...progressOf(0, 2, 5, 10), percent: 25, eta_seconds: 30 });
  });

  test("knows no time before the first page, and none that a file took which was read long ago", () => {
    const known = reading("a", { status: "completed", pages: 1_000, readPages: 1_000, startedAt: at(-90_000) });
    expect(stateOf([known, reading("b")]).progress.eta_seconds).toBeNull();
    const begun = reading("b", { status: "processing", pages: 20, readPages: 10, startedAt: at(0) });
    expect(stateOf([known, begun]).progress.eta_seconds).toBe(10);
  });

  const files = fc.array(
    fc.record({
      status: fc.constantFrom(...FILE_STATUSES),
      pages: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  test("of a cancelled file is as far as it had got", () => {
    const state = stateOf([
      reading("a", { status: "cancelled", pages: 40, readPages: 10 }),
      reading("b", { status: "completed", pages: 40, readPages: 40 }),
    ]);
    expect(state.progress).toEqual({ ...progressOf(2, 2, 50, 80), percent: 62, eta_seconds: 0 });
  });

  test("is 100 when all of the job is done and never before, and a number of seconds or none", () => {
    fc.assert(
      fc.property(files, (list) => {
        const state = stateOf(
          list.map(({ status, pages, share }, index) =>
            reading(`r${index}`, { status, pages, readPages: Math.floor((pages ?? 0) * share), startedAt: at(1) }),
          ),
        );
        const { percent, eta_seconds } = state.progress;
        expect(percent === 100).toBe(isOver(state.status) && list.every(({ status }) => status !== "cancelled"));
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(eta_seconds === null || (Number.isInteger(eta_seconds) && eta_seconds >= 0)).toBe(true);
      }),
    );
  });
});

describe("a job and the readings of its files", () => {
  test("a cancelled job stays as it was, also when its files' readings go on for others", () => {
    const done = reading("a", { status: "completed", pages: 3, readPages: 3 });
    const reached = { ...progressOf(2, 2, 3, 11), percent: 27, eta_seconds: 0 };
    const cancelled = { cancelledAt: at(5), updatedAt: at(5), cancelled: ["f1"], reached, revision: 9 };
    const before = stateOf([done, reading("b", { status: "processing", pages: 8 })], cancelled);
    const after = stateOf(
      [done, reading("b", { status: "completed", pages: 8, readPages: 8, revision: 50, updatedAt: at(60) })],
      cancelled,
    );
    for (const state of [before, after]) {
      expect(state).toMatchObject({
        status: "cancelled",
        position: before.position,
        updatedAt: at(5),
        files: [{ status: "completed" }, { status: "cancelled" }],
      });
      expect(state.progress).toEqual(reached);
    }
  });

  test("that a job is cancelled comes after all its other news, also of a page that was read while it was being cancelled", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 1_000 }),
        (revisions, revision) => {
          const readings = revisions.map((each, index) =>
            reading(`r${index}`, { status: "processing", pages: 10, revision: each }),
          );
          const cancelled = {
            cancelledAt: at(5),
            cancelled: revisions.map((_, index) => `f${index}`),
            revision: revision + 1,
          };
          expect(stateOf(readings, cancelled).position).toBeGreaterThan(stateOf(readings, { revision }).position);
        },
      ),
    );
  });

  test("a file that nobody has looked at is queued, and one that was refused failed with its reason", () => {
    const error = "The file is empty";
    const f0 = { name: "a.pdf", key: "incoming/a.pdf" };
    const f1 = { name: "b.pdf", key: "incoming/b.pdf", error };
    const state = stateOf([], { files: { f0, f1 } });
    const unread = { sha256: null, pages: null, parts: 0, tables: 0, images: 0 };
    expect(state.files).toEqual([
      { ...unread, name: "a.pdf", status: "queued" },
      { ...unread, name: "b.pdf", status: "failed", error },
    ]);
    expect(state.status).toBe("processing");
  });

  test("files stand in the order of their numbers", () => {
    const many = Array.from({ length: 12 }, (_, index) => reading(`r${index}`));
    expect(stateOf(many).files.map(({ name }) => name)).toEqual(many.map((_, index) => `${index}.pdf`));
  });
});

test("lost pages are reported in order, and not all of very many", () => {
  expect(describeLostPages({})).toBeUndefined();
  expect(describeLostPages({ p12: "it hangs", p7: "damaged" })).toBe("Page 7: damaged; Page 12: it hangs");
  const many = describeLostPages(
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index + 1}`, "damaged"])),
  )!;
  expect(many).toMatch(/; Page 20: damaged; and 30 pages more$/);
});
