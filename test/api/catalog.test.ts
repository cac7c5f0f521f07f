import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";
import { useSystem } from "../support/use-started.ts";
import { makeWorkbook } from "../support/workbook.ts";

const system = useSystem();

const upload = (
  vendor: string,
  rawBody: string | Uint8Array,
  options: { contentType?: string; query?: string; adminToken?: string | null; token?: string } = {},
): Promise<Answer> =>
  system.request("catalog", "POST", `/catalog/import/${vendor}?${options.query ?? ""}`, {
    rawBody,
    headers: { "Content-Type": options.contentType ?? "text/csv" },
    ...(options.adminToken === null ? {} : { adminToken: options.adminToken ?? ADMIN_TOKEN }),
    ...(options.token === undefined ? {} : { token: options.token }),
  });
const get = async (entry: "catalog" | "search" | "gateway", path: string): Promise<Answer> =>
  system.request(entry, "GET", path);

describe("a part", () => {
  it("is answered whole by the catalog, and by search under its id, its slug and an older slug", async () => {
    const columns = "part_number,title,list_price,image_url,superseded_by,weight,hazmat";
    const rows = "WP-1,Fuel Can,19.5,https://images.test/can.jpg,WP-2,1.5 kg,yes\nWP-2,Fuel Can New,,,,,";
    await upload("ueb", `${columns}\n${rows}\n`);
    const [listed] = (await get("catalog", "/parts/ueb?q=wp1")).body.parts;
    const whole = {
      ...listed,
      price: { list: { value: 19.5, currency: "usd" } },
      media: { hasImages: true, imageCount: 1, images: [{ url: "https://images.test/can.jpg", type: "product" }] },
      sources: ["price_file"],
      weightGrams: 1_500,
      hazmat: true,
      fitment: [],
      interchange: [],
      kit: [],
      supersession: {
        supersedes: [],
        supersededBy: [{ id: "ueb-wp2", partNumber: "WP-2", title: "Fuel Can New", status: "active" }],
        unknownSuccessor: null,
        cycle: false,
      },
    };
    expect((await get("search", "/api/search?q=wp-1&manufacturer=ueb")).body.parts[0]).toMatchObject({
      weightGrams: 1_500,
      hazmat: true,
    });
    expect((await get("catalog", "/parts/UEB/wp 1")).body).toEqual(whole);
    expect((await get("gateway", "/api/parts/UEB-WP1")).body).toEqual(whole);
    expect((await get("search", `/api/parts/${listed.slug}`)).body).toEqual(whole);
    expect((await get("search", "/api/parts/gas-can-ueb-wp1")).body).toEqual(whole);
  });

  it("that is not there, or cannot be, is not found", async () => {
    for (const id of ["ueb-nothing", "xyz-wp1", "wp1", "ueb-"]) {
      const { status, body } = await get("gateway", `/api/parts/${id}`);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await get("catalog", "/parts/ueb/nothing")).status).toBe(404);
  });
});

describe("a part that staff edits", () => {
  const staff = (method: "GET" | "POST" | "PATCH", path: string, body?: unknown): Promise<Answer> =>
    system.request("gateway", method, `/api/admin/parts${path}`, {
      adminToken: ADMIN_TOKEN,
      ...(body === undefined ? {} : { body }),
    });
  const find = async (q: string): Promise<string[]> =>
    (await get("search", `/api/search?q=${encodeURIComponent(q)}`)).body.parts.map(({ id }: { id: string }) => id);

  it("keeps its edits through imports, is hidden everywhere, and goes back to what the file says", async () => {
    const file = "part_number,title,list_price,description\nED-1,Zug Belt,4,From the file\n";
    await upload("ueb", file);
    expect((await system.request("gateway", "PATCH", "/api/admin/parts/ueb-ed1", { body: {} })).status).toBe(401);
    const title = "Zugbelt <b>heavy</b>";
    const edits = { title, price: { fixed: 9.5 }, attributes: { Length: "84 in" }, fits: ["ZT-9000"], version: 0 };
    const edited = await staff("PATCH", "/ueb-ed1", edits);
    expect(edited.body).toMatchObject({
      ...{ id: "ueb-ed1", hidden: false, version: 1, attributes: { Length: "84 in" }, fits: ["ZT-9000"] },
      edits: { title: { value: title, source: "Zug Belt" }, price: { value: { fixed: 9.5 }, source: 4 } },
    });
    expect(await find("zugbelt")).toEqual(["ueb-ed1"]);
    expect((await upload("ueb", file.replace(",4,", ",5,"))).body).toMatchObject({ written: 1 });
    expect((await upload("ueb", file.replace(",4,", ",5,"))).body).toMatchObject({ unchanged: 1 });
    expect((await get("gateway", "/api/parts/ueb-ed1")).body).toMatchObject({ title, price: { list: { value: 9.5 } } });
    expect((await staff("GET", "/ueb-ed1")).body.edits.price).toEqual({ value: { fixed: 9.5 }, source: 5 });
    expect((await staff("PATCH", "/ueb-ed1", edits)).body.version).toBe(1);
    const late = await staff("PATCH", "/ueb-ed1", { ...edits, title: "Late" });
    expect(late.body.error.code).toBe("VERSION_CONFLICT");

    await staff("PATCH", "/ueb-ed1", { hidden: true });
    expect(await find("ed-1")).toEqual([]);
    for (const path of ["/api/parts/ueb-ed1", "/api/parts/zugbelt-ueb-ed1", "/parts/ueb/ed-1"])
      expect((await get(path.startsWith("/api") ? "search" : "catalog", path)).status).toBe(404);
    expect((await get("catalog", "/parts/ueb?q=ed1")).body.parts).toEqual([]);
    expect(JSON.stringify((await get("gateway", "/api/sitemap/ueb")).body)).not.toContain("ueb-ed1");
    expect((await staff("GET", "?q=zugbelt")).body.parts).toMatchObject([{ id: "ueb-ed1", hidden: true }]);

    const takenBack = await staff("PATCH", "/ueb-ed1", { hidden: null, title: null, price: null });
    expect(takenBack.body).toMatchObject({ title: "Zug Belt", price: { list: { value: 5 } }, hidden: false });
    expect(takenBack.body.edited).toEqual(["attributes", "fits"]);
    expect(await find("zug belt ed-1")).toEqual(["ueb-ed1"]);
    const changes = (
      await system.request("gateway", "GET", "/api/admin/audit?pageSize=50", { adminToken: ADMIN_TOKEN })
    ).body;
    expect(JSON.stringify(changes)).toContain("edits.price");
  });

  it("is made by hand, of the shop itself too, and sold; what it cannot be is refused by its field", async () => {
    await upload("ueb", "part_number,title\nNH-1,Grease\n");
    for (const [field, more] of Object.entries({
      partNumber: { partNumber: "NH 1" },
      "price.fixed": { price: { fixed: -1 } },
      images: { images: Array.from({ length: 21 }, () => "https://x.test/a.png") },
      "images[0]": { images: ["javascript:alert(1)"] },
      attributes: { attributes: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`a${n}`, "1"])) },
      price: { price: { fixed: 1, marginPercent: 2 } },
    })) {
      const { status, body } = await staff("POST", "", { vendor: "ueb", partNumber: "NH-2", title: "Gun", ...more });
      expect([status, body.error.details[0].field]).toEqual([400, field]);
    }
    expect((await staff("PATCH", "/ueb-nh1", { price: { fixed: 1e9 } })).body.error.details[0].field).toBe(
      "price.fixed",
    );
    const made = { partNumber: "NH-2", title: "Greasegun handmade", price: { fixed: 20 }, category: "Tools" };
    expect((await staff("POST", "", { vendor: "ueb", ...made })).status).toBe(201);
    await upload("ueb", "part_number,title,list_price\nNH-2,Gun from the file,15\n");
    expect((await get("gateway", "/api/parts/ueb-nh2")).body).toMatchObject({
      ...{ title: "Greasegun handmade", category: "Tools", price: { list: { value: 20 } } },
      sources: ["shop", "price_file"],
    });
    const { body: ours } = await staff("POST", "", { ...made, title: "Shopmade gun" });
    expect(ours).toMatchObject({
      id: "own-nh2",
      manufacturer: { code: "OWN" },
      edited: ["title", "category", "price"],
    });
    expect(await find("shopmade")).toEqual(["own-nh2"]);
    await system.request("gateway", "PUT", "/api/admin/parts/own-nh2/stock", {
      ...{ adminToken: ADMIN_TOKEN, body: { onHand: 2 } },
    });
    expect((await get("gateway", "/api/parts/own-nh2")).body).toMatchObject({
      ...{ availability: "low_stock", stock: { own: 2 } },
    });
  });
});

describe("the names of vendors", () => {
  const admin = (method: "GET" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Answer> =>
    system.request("gateway", method, `/api/admin/vendors${path}`, {
      adminToken: ADMIN_TOKEN,
      ...(body === undefined ? {} : { body }),
    });
  const found = async (manufacturer: string): Promise<string[]> =>
    (await get("search", `/api/search?manufacturer=${encodeURIComponent(manufacturer)}`)).body.parts.map(
      (part: { manufacturer: { name: string } }) => part.manufacturer.name,
    );

  it("are an operator's: a new brand sells without a release, and parts follow its names", async () => {
    expect((await upload("xqz", "part_number,title\nA-1,Grease Gun\n")).status).toBe(404);
    expect((await admin("PUT", "/xqz", { isNew: true })).body).toEqual({
      code: "XQZ",
      name: "XQZ",
      aliases: [],
      pricing: "manual",
      isDefault: false,
      beyondStock: "sell",
    });
    expect((await upload("xqz", "part_number,title\nA-1,Grease Gun\n")).body).toMatchObject({ written: 1 });
    expect(await found("xqz")).toEqual(["XQZ"]);

    await admin("PUT", "/XQZ", { name: "Quizzle Mowers", aliases: ["Quizzle", "Q & Z"] });
    expect((await get("catalog", "/parts/xqz/a1")).body.manufacturer).toEqual({ name: "Quizzle Mowers", code: "XQZ" });
    await eventually(async () => (await found("q&z")).join() === "Quizzle Mowers");
    expect((await get("search", "/api/search?q=quizzle%20a1")).body.parts[0].id).toBe("xqz-a1");
    const { pnNorm } = (await get("search", "/api/parts/xqz-a1")).body;
    expect(pnNorm).toBe("A1");
    expect((await upload("xqz", "part_number,title\nA-1,Grease Gun\n")).body).toMatchObject({ unchanged: 1 });

    const listed = (await admin("DELETE", "/xqz")).body.vendors;
    expect(listed).toContainEqual(expect.objectContaining({ name: "XQZ", aliases: [], isDefault: false }));
    await eventually(async () => (await found("quizzle")).length === 0);
    expect(await found("xqz")).toEqual(["XQZ"]);
  });

  it.each([
    ["/wvr", { name: "honda" }, "name"],
    ["/wvr", { name: "Weaver", aliases: ["WVR Inc", "kaw"] }, "aliases[1]"],
    ["/wvr", { name: "--" }, "name"],
    ["/fer", { name: "Ferris" }, "code"],
    ["/wvr", { aliases: "none" }, "aliases"],
    ["/wvr", { name: "Other Shop", isNew: true }, "code"],
  ])("refuse %s %j naming %s", async (path, body, field) => {
    const answer = await admin("PUT", path, body);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe("importing a price file", () => {
  it("updates the parts that are there by a list of new prices without titles, and refuses the others", async () => {
    await upload("kaw", "part_number,title,list_price\nPU-1,Fuel pump,20\n");
    const { body } = await upload("kaw", "Art.-Nr.;VK\nPU-2;7,50\nPU-1;22,00\n");
    const missing = { reason: "The column 'title' is missing, and the catalog has no part of this number" };
    expect(body).toMatchObject({ read: 2, written: 1, unchanged: 0, refused: [{ line: 2, ...missing }] });
    expect(body.notes).toContainEqual(expect.stringMatching(/^No column has titles/));
    expect((await get("catalog", "/parts/kaw/PU-1")).body).toMatchObject({
      title: "Fuel pump",
      price: { list: { value: 22 } },
    });
    expect((await upload("kaw", "Art.-Nr.;Farbe\nPU-1;rot\n")).body.error.details[0].code).toBe("no_column");
  });

  it("takes a dealer's workbook: shows how it is read, then reads it as it was mapped, and the next one too", async () => {
    const rows = [
      ["Preisliste 2026", null, null, null],
      ["Art.-Nr.", "Bezeichnung", "EK €", "VK €"],
      ["WB-1", "Keilriemen", 4.5, 8.9],
      ["WB-2", "Luftfilter", 5, 10],
    ];
    const file = makeWorkbook({ Preise: rows });
    const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const send = (query: string, sent = file) => upload("mch", sent, { contentType, query });
    expect((await send("dryRun=true")).body.error).toMatchObject({
      code: "VALIDATION_FAILED",
      details: [{ code: "currency_foreign", values: { currency: "EUR" }, layout: { sheet: "Preise", headerLine: 2 } }],
    });
    const { body } = await send("dryRun=true&rate=1.1");
    expect(body).toMatchObject({ written: 2, layout: { currency: "EUR", decimalSign: "." } });
    expect(body.layout.columns.map(({ column }: { column: string | null }) => column)).toEqual([
      ...["part_number", "title", "cost", "list_price"],
    ]);
    expect(body.layout.samples[0]).toEqual({
      line: 3,
      values: { part_number: "WB-1", title: "Keilriemen", list_price: "9.79", cost: "4.95" },
    });
    const mapping = encodeURIComponent('{"list_price":"EK €"}');
    expect((await send(`currency=eur&mapping=${mapping}`)).body).toMatchObject({ written: 2, refusedTotal: 0 });
    expect((await get("catalog", "/parts/mch/WB-1")).body.price.list).toEqual({ value: 4.5, currency: "usd" });
    const next = makeWorkbook({ Preise: rows.map((row) => row.map((cell) => (cell === 4.5 ? 4.75 : cell))) });
    expect((await send("currency=eur", next)).body.layout.mapping).toEqual({ list_price: "EK €" });
    expect((await get("catalog", "/parts/mch/WB-1")).body.price.list.value).toBe(4.75);
  });

  it("keeps what was written when the client hangs up in the middle, says so, and nothing half-read", async () => {
    const row = (n: number) => `HU-${n},Hung up number ${n} ends here\n`;
    const url = new URL(system.url("catalog"));
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, "connect");
    const rows = Array.from({ length: 2_000 }, (_, n) => row(10_000 + n)).join("");
    const body = `part_number,title\n---,No number\n${rows}HU-99999,Hung up num`;
    socket.write(
      `POST /catalog/import/val HTTP/1.1\r\nHost: ${url.host}\r\nX-Admin-Token: ${ADMIN_TOKEN}\r\nContent-Type: text/csv\r\nContent-Length: 5000000\r\n\r\n${body}`,
    );
    const kept = () => get("catalog", "/parts/val?pageSize=100");
    await eventually(async () => (await kept()).body.pagination.total > 0);
    socket.destroy();
    await once(socket, "close");
    const admin = async (entry: "catalog" | "gateway", path: string) =>
      (await system.request(entry, "GET", path, { adminToken: ADMIN_TOKEN })).body;
    const failed = await eventually(async () => {
      const { imports } = await admin("catalog", "/catalog/imports");
      return imports.find(
        ({ vendor, status }: { vendor: string; status: string }) => vendor === "VAL" && status === "failed",
      );
    });
    const { total: written } = (await kept()).body.pagination;
    const reason = "The client closed the connection before the end of the body";
    expect(failed).toMatchObject({ reason, code: "file_cut_off", read: 2_001, written, unchanged: 0, refusedTotal: 1 });
    expect((await admin("catalog", `/catalog/imports/${failed.importId}`)).refused).toEqual([
      {
        line: 2,
        reason: expect.stringContaining("no letter or digit"),
        code: "number_blank",
        values: { column: "part_number", value: "---" },
      },
    ]);
    const faults = system.output().split("\n");
    expect(faults.filter((line) => line.includes("A request failed") && line.includes("/catalog/import"))).toEqual([]);
    const entry = await eventually(async () => {
      const { entries } = (await admin("gateway", "/api/admin/audit?action=catalog.import&objectId=val")).data;
      return entries[0].outcome !== null && entries[0];
    });
    expect(entry.outcome).toBe("CLIENT_CLOSED_REQUEST");
    expect(entry.changes).toContainEqual({ field: "written", before: null, after: written });
    expect(entry.changes).toContainEqual({ field: "refusedTotal", before: null, after: 1 });
    expect((await upload("val", "part_number,title\nAFTER-1,The next file\n")).status).toBe(200);
    const { parts, pagination } = (await kept()).body;
    expect(pagination.total).toBeLessThanOrEqual(2_001);
    for (const part of parts) expect(part.title).toMatch(/ends here$|The next file/);
    expect((await get("catalog", "/parts/val?q=HU-99999")).body.pagination.total).toBe(0);
    expect(
      (await upload("val", `part_number,title\n${Array.from({ length: 2_000 }, (_, n) => row(10_000 + n)).join("")}`))
        .body,
    ).toMatchObject({ read: 2_000, refusedTotal: 0 });
    expect((await kept()).body.pagination.total).toBe(2_001);
  }, 60_000);
});
