import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import type { FileReport as ImportReport } from "../../services/catalog/import-file.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

const HEADER = "part_number,title,list_price,status,superseded_by,image_url,category\n";

describe("catalog and search", () => {
  let system: TestBroker;
  beforeEach(async () => {
    system = await startTestBroker({ services: ["catalog", "search"], transport: "fake" });
  });
  afterEach(() => system.stop());

  const importFile = (file: string, vendor = "BNS", contentType = "text/csv"): Promise<ImportReport> =>
    importPrices(system.broker, file, { vendor, contentType });
  const tryFile = (file: string) =>
    call(
      system.broker,
      "catalog.import",
      { vendor: "BNS", contentType: "text/csv", dryRun: true },
      { stream: Readable.from([Buffer.from(file)]) },
    );
  const price = async (items: { productId: string; partNumber: string; manufacturer?: string }[]) =>
    (await call(system.broker, "catalog.price", { items })).items;
  const search = (q: string) => call(system.broker, "search.search", { q });

  it("reports what a file would do and writes nothing, as often as it is asked", async () => {
    await importFile(`${HEADER}1,a,1,,,,\n2,b,2,,,,\n`);
    const bad = Array.from({ length: 3_000 }, (_, line) => `bad-${line},,1,,,,\n`).join("");
    const file = `${HEADER}1,a,1,,,,\n2,b,2.50,,,,\n3,c,3,,,,\n${bad}`;
    const expected = { read: 3_003, written: 2, unchanged: 1, refusedTotal: 3_000 };
    for (let time = 0; time < 2; time += 1) {
      const report = await tryFile(file);
      expect(report).toMatchObject(expected);
      expect(report.refused).toHaveLength(3_000);
    }
    expect((await search("c")).parts.map(({ productId }) => productId)).not.toContain("bns-3");
    expect(await price([{ productId: "bns-2", partNumber: "2" }])).toMatchObject([{ price: 200 }]);
    expect(await importFile(file)).toMatchObject(expected);
    expect(await tryFile(file)).toMatchObject({ written: 0, unchanged: 3 });
  });

  it("finds and prices what a file brought, as soon as the import is answered", async () => {
    const file = `${HEADER}799868,"Carburetor, Vanguard",45.99,,,http://127.0.0.1/a.svg,Carburetors\n590454,Mower Blade,,,,,Blades\nbad,,1,,,,\n498298,Old Carburetor,30,discontinued,799868,,\n`;
    const refused = [{ line: 4, reason: "The column 'title' is empty", code: "empty", values: { column: "title" } }];
    expect(await importFile(file)).toMatchObject({ read: 4, written: 3, unchanged: 0, refused, refusedTotal: 1 });
    const imageUrl = "http://127.0.0.1/a.svg";
    const [hit] = (await search("79-98.68")).parts;
    expect(hit).toMatchObject({ id: "bns-799868", sku: "CT-BNS-799868", unitPrice: 45.99, imageUrl, currency: "usd" });
    const ids = ["bns-799868", "bns-590454", "bns-498298", "nothing"];
    const carburetor = { productId: "bns-799868", title: "Carburetor, Vanguard", price: 4_599, imageUrl };
    expect(await price(ids.map((productId) => ({ productId, partNumber: "x" })))).toMatchObject([
      { found: true, ...carburetor, partNumber: "799868", status: "active", availability: "unknown" },
      { found: true, productId: "bns-590454", status: "active", price: null },
      {
        ...{ found: true, productId: "bns-498298", status: "discontinued", price: 3_000 },
        successor: { ...carburetor, manufacturer: "Briggs & Stratton", availability: "unknown" },
      },
      { found: false, price: null },
    ]);
    const counts = { docCount_es: 3, docCount_api: 3, delta: 0 };
    expect(await call(system.broker, "search.health", {})).toMatchObject({
      elasticsearch: "ok",
      mongodb: "ok",
      ...counts,
    });
    expect(await call(system.broker, "catalog.get", { id: "BNS-799868" })).toMatchObject({ price: 4_599 });
    await expect(call(system.broker, "catalog.get", { id: "bns-1" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("names the newest part that can be bought in place of one that cannot", async () => {
    const row = (number: string, price: string, status: string, successor: string) =>
      `${number},Part ${number},${price},${status},${successor},,\n`;
    await importFile(
      HEADER +
        row("A1", "1", "discontinued", "A2") +
        row("A2", "2", "active", "A3") +
        row("A3", "3", "active", "A4") +
        row("A4", "", "active", "A5") +
        row("A5", "5", "discontinued", "A1") +
        row("B1", "", "discontinued", "B2") +
        row("B2", "", "active", "nowhere"),
    );
    const successors = async (numbers: string[], more = {}) => {
      const items = numbers.map((number) => ({ productId: `bns-${number}`, partNumber: number }));
      const priced = await call(system.broker, "catalog.price", { items, ...more });
      return priced.items.map(({ successor }) => successor && [successor.partNumber, successor.price]);
    };
    const numbers = ["A1", "A2", "A5", "B1", "B2"];
    const [a3, b2] = [
      ["A3", 300],
      ["B2", null],
    ];
    expect(await successors(numbers)).toEqual([a3, undefined, a3, b2, undefined]);
    expect(await successors(numbers, { successors: true })).toEqual([a3, a3, a3, b2, undefined]);
  });

  it("prices by number with manufacturer in any spelling, and without one only what is unambiguous", async () => {
    await importFile(`${HEADER}79-9868,Carburetor,10,,,,\nONLY-1,Seal,1,,,,\n`);
    await importFile(`${HEADER}799868,Air Filter,20,,,,\n`, "hon");
    const productId = "unknown";
    expect(
      (
        await price([
          { productId, partNumber: "799868", manufacturer: "b&s" },
          { productId, partNumber: "79 98 68", manufacturer: "HONDA" },
          { productId, partNumber: "799868" },
          { productId, partNumber: "only1" },
          { productId, partNumber: "799868", manufacturer: "Kohler" },
          { productId: "HON-799868", partNumber: "79-9868", manufacturer: "BNS" },
        ])
      ).map((item) => item.price),
    ).toEqual([1_000, 2_000, null, 100, null, 2_000]);
  });

  it("writes what changed alone, and keeps the day a part came", async () => {
    await importFile(`${HEADER}1,a,1,,,,\n2,b,2,,,,\n`);
    const before = (await call(system.broker, "catalog.parts", { vendor: "bns" })).parts;
    expect(await importFile(`${HEADER}2,b,2.50,,,,\n1,a,1.00,,,,\n1,c,9,,,,\n`)).toMatchObject({
      read: 3,
      written: 1,
      unchanged: 1,
      refused: [
        {
          line: 4,
          reason: "The column 'part_number' repeats the part of line 3",
          code: "part_repeated",
          values: { line: 3 },
        },
      ],
      refusedTotal: 1,
    });
    const after = (await call(system.broker, "catalog.parts", { vendor: "bns" })).parts;
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toMatchObject({
      id: "bns-2",
      price: { list: { value: 2.5, currency: "usd" } },
      createdAt: before[1]!.createdAt,
    });
    expect(after[1]!.updatedAt > before[1]!.updatedAt).toBe(true);
    expect((await search("2")).parts[0]).toMatchObject({ id: "bns-2", price: 2.5 });
    const since = await call(system.broker, "catalog.parts", { vendor: "BNS", updatedSince: after[1]!.updatedAt });
    expect(since.parts.map(({ id }) => id)).toEqual(["bns-2"]);
  });

  it("lists a vendor's parts by page, number and title", async () => {
    await importFile(
      `${HEADER}${Array.from({ length: 25 }, (_, index) => `A-${100 + index},${index % 5 ? "Belt" : "Blade [x]"} ${index},1,,,,`).join("\n")}\n`,
    );
    const list = async (more: object) => call(system.broker, "catalog.parts", { vendor: "bns", ...more });
    const third = await list({ page: 3, pageSize: 10 });
    expect(third.parts.map(({ partNumber }) => partNumber)).toEqual(["A-120", "A-121", "A-122", "A-123", "A-124"]);
    expect(third.pagination).toEqual({ page: 3, pageSize: 10, total: 25, totalPages: 3 });
    expect((await list({ q: "a 12" })).pagination.total).toBe(5);
    expect((await list({ q: "blade [X]" })).pagination.total).toBe(5);
    expect((await list({ q: ".*" })).pagination.total).toBe(0);
    expect((await call(system.broker, "catalog.parts", { vendor: "KOH" })).pagination.total).toBe(0);
    for (const vendor of ["FER", "nobody", "../x"])
      await expect(list({ vendor })).rejects.toMatchObject({ code: expect.stringMatching(/NOT_FOUND|VALIDATION/) });
  });

  it("shows what replaces a part and what it replaces, and tolerates and reports a circle", async () => {
    const row = (number: string, successor: string, status = "discontinued") =>
      `${number},Part ${number},1,${status},${successor},,\n`;
    expect(
      await importFile(
        `${HEADER}${row("A-1", "A-2")}${row("A-2", "a 3")}${row("A-3", "", "active")}${row("B-1", "B-9")}${row("C-1", "C1")}`,
      ),
    ).toMatchObject({
      read: 5,
      written: 4,
      unchanged: 0,
      refused: [
        {
          line: 6,
          reason: "The column 'superseded_by' must be the number of another part",
          code: "same_part",
          values: { column: "superseded_by" },
        },
      ],
      refusedTotal: 1,
    });
    const of = (partNumber: string) => call(system.broker, "catalog.supersession", { vendor: "bns", partNumber });
    expect(await of("a1")).toEqual({
      id: "bns-a1",
      partNumber: "A-1",
      supersedes: [],
      unknownSuccessor: null,
      cycle: false,
      supersededBy: [
        { id: "bns-a2", partNumber: "A-2", title: "Part A-2", status: "discontinued" },
        { id: "bns-a3", partNumber: "A-3", title: "Part A-3", status: "active" },
      ],
    });
    expect((await of("A-3")).supersedes.map(({ id }) => id)).toEqual(["bns-a2"]);
    expect(await of("B-1")).toMatchObject({ supersededBy: [], unknownSuccessor: "B-9" });
    await expect(of("Z-1")).rejects.toMatchObject({ code: "NOT_FOUND" });

    expect(await importFile(`${HEADER}${row("A-3", "A-1")}`)).toMatchObject({
      written: 1,
      supersessionCycles: [["A-1", "A-2", "A-3"]],
    });
    expect(await of("A-2")).toMatchObject({
      cycle: true,
      supersededBy: [{ id: "bns-a3" }, { id: "bns-a1" }],
      supersedes: [{ id: "bns-a1" }],
    });
    expect((await search("A-2")).parts[0]).toBeDefined();
    // A circle that was reported is not reported again by a file that has nothing to do with it; one that two files
    // close is.
    expect(await importFile(`${HEADER}${row("D-1", "D-2")}`)).not.toHaveProperty("supersessionCycles");
    expect(await importFile(`${HEADER}${row("D-0", "D-1")}${row("D-2", "D-1")}`)).toMatchObject({
      supersessionCycles: [["D-1", "D-2"]],
    });
  });

  it("refuses a file of another kind and one without its columns", async () => {
    await expect(importFile("x", "BNS", "application/json")).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    await expect(importFile("colour,name\n1,2\n")).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("The file has no column 'part_number'"),
    });
    await expect(importFile(HEADER, "FER")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(
      await importFile(
        '{"part_number":"7","title":"Seven","list_price":7}\n',
        "KUH",
        "application/x-ndjson; charset=utf-8",
      ),
    ).toMatchObject({ written: 1 });
  });
});
