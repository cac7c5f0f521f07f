import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { jpegOnItsSide } from "../support/images.ts";
import { drawnPdf, drawPartsList } from "../support/pdf.ts";
import { ADMIN_TOKEN, type System } from "../support/system.ts";
import { browserTest, hasBrowser, press } from "./chromium.ts";
import { buy } from "../support/buy.ts";
import { newStaff, startSelling, type Staff } from "./staff.support.ts";

let system: System;
let browser: Browser;
/** One for all tests: a first load of the console takes a second of a processor. */
let staff: Staff;

const PARTS =
  "part_number,title,list_price,superseded_by\n900-001,Console test filter,20,\n900-002,Old test filter,10,900-001\n";
const ITEM = {
  ...{ productId: "bns-900001", partNumber: "900-001", title: "Console test filter" },
  ...{ unitPrice: 20, quantity: 1 },
};
const asAdmin = { adminToken: ADMIN_TOKEN };

beforeAll(async () => {
  if (!hasBrowser) return;
  ({ system, browser } = await startSelling(PARTS));
  staff = await newStaff(system, browser);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});
beforeEach(() => staff?.reset());

const come = async (path: string): Promise<Staff["page"]> => {
  await staff.comeInAs("admin", path);
  return staff.page;
};

browserTest("an index is built, its progress survives a reload, and the older one serves again", async () => {
  const page = await come("/search");
  await page.getByLabel("Index", { exact: true }).selectOption("parts");
  await staff.press("Rebuild");
  await page.getByText("Rebuild started").waitFor();
  await page.reload();
  const newest = page.getByRole("table", { name: "Builds" }).getByRole("row").nth(1);
  await newest.getByText("published").waitFor();
  const built = await newest.getByRole("cell").nth(1).textContent();
  await page.getByRole("row").filter({ hasText: built! }).getByText("live").waitFor();
  await press(staff.button("Roll back: parts"));
  await press(staff.button("Confirm"));
  await page.getByText("Rolled back", { exact: true }).waitFor();
  const { indexes } = (await system.request("gateway", "GET", "/api/admin/search/indexes", asAdmin)).body;
  expect(indexes.find(({ name }: { name: string }) => name === built)).toMatchObject({ live: false });
  expect(staff.complaints).toEqual([]);
});

browserTest(
  "synonyms are tried with a query that found nothing, and search is theirs once they are saved",
  async () => {
    const found = async () => (await system.request("gateway", "GET", "/api/search?q=quarkle")).body.pagination.total;
    expect(await found()).toBe(0);
    const zeroHits = async () =>
      (await system.request("analytics", "GET", "/api/analytics/searches/zero-hits", asAdmin)).body
        .queries as unknown[];
    await eventually(async () => (await zeroHits()).length > 0, 30_000);
    const page = await come("/search");
    await press(page.getByRole("button", { name: "Try: quarkle" }));
    const lines = page.getByLabel("Synonyms for this language");
    await lines.fill(`quarkle => filter\nalone`);
    await staff.press("Try");
    await page.getByRole("alert").getByText("Line 2: has one word alone").waitFor();
    await lines.fill(`quarkle => filter`);
    await staff.press("Try");
    await page.getByText("Now: 0 parts").waitFor();
    await page.getByText(/With these synonyms: [1-9]/).waitFor();
    await staff.axeClean();
    expect(await found()).toBe(0);
    await staff.press("Save");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await found()).toBeGreaterThan(0);
    await press(staff.button("Restore the built-in ones"));
    await press(staff.button("Confirm"));
    await page.getByText("Built-in synonyms restored").waitFor();
    expect(await found()).toBe(0);
    expect(await lines.inputValue()).not.toContain("quarkle");
    expect(staff.complaints).toEqual([]);
  },
);

browserTest("a manual is uploaded, read on while the page reloads, shown with its boxes, and removed", async () => {
  const pdf = await fetch(`${system.sandboxUrl("dealer")}/manuals/third.pdf`);
  const page = await come("/manuals");
  await page.getByLabel("PDF file").setInputFiles({
    ...{ name: "third <b>.pdf", mimeType: "application/pdf" },
    buffer: Buffer.from(await pdf.arrayBuffer()),
  });
  await staff.press("Upload");
  await page.getByText("The manual was received and is read in the background").waitFor();
  await page.reload();
  const job = page.getByRole("row").filter({ hasText: "third" }).first();
  await job.getByText("completed").waitFor({ timeout: 120_000 });
  expect(await job.textContent()).toMatch(/(\d+) of \1 pages/);
  await press(job.getByRole("button"));
  await press(page.getByRole("dialog").getByRole("link", { name: /third/ }));
  await page.getByText("third", { exact: false }).first().waitFor();
  // A part of the page is a box within it, and chosen from the list by keyboard.
  const sha256 = new URL(page.url()).pathname.split("/")[2]!;
  await eventually(
    async () => (await system.request("gateway", "GET", `/api/manuals/${sha256}/pages/4`)).status === 200,
    30_000,
  );
  await page.goto(staff.at(`/manuals/${sha256}/show?page=4`));
  await page.getByRole("img", { name: "Page 4 as it is drawn" }).waitFor();
  const bolt = page.getByRole("button", { name: /56\.6002/ }).first();
  await bolt.focus();
  await page.keyboard.press("Enter");
  expect(await bolt.getAttribute("aria-pressed")).toBe("true");
  const boxes = await page.evaluate<number[][]>(
    `[...document.querySelectorAll("[data-found^=part]")].map((box) =>
      ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name))))`,
  );
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.filter(([x, y, width, height]) => x! < 0 || y! < 0 || x! + width! > 1 || y! + height! > 1)).toEqual([]);
  await press(staff.button("Remove"));
  await press(staff.button("Confirm"));
  await page.waitForURL(staff.at("/manuals"));
  expect((await system.request("gateway", "GET", `/api/manuals/${sha256}`)).status).toBe(404);
  expect(staff.complaints).toEqual([]);
});

browserTest("a page shows what was read of it, and its rows and figures are corrected by keyboard", async () => {
  const pdf = await drawnPdf((document) => {
    document.fontSize(16).text("Stihl TS420 Parts List", 72, 60);
    document.fontSize(16).text("Figure 1: Fuel System", 72, 100);
    drawPartsList(document, [
      ["1", "41774-8801", "PISTON RING", "1"],
      ["2", "41774-8802", "GUDGEON", "2"],
      ["3", "41774-8803", "NO PART AT ALL", "1"],
    ]);
  });
  const page = await come("/manuals");
  await page.getByLabel("PDF file").setInputFiles({ name: "ts420.pdf", mimeType: "application/pdf", buffer: pdf });
  await staff.press("Upload");
  await page.getByText("3 parts, 1 model.").waitFor({ timeout: 120_000 });
  await press(page.getByRole("alert").getByRole("link", { name: "Open the manual" }));
  const pages = page.getByRole("list", { name: "Page by page" });
  await pages.getByRole("link", { name: "Page 1 3 parts, 1 figure" }).waitFor();
  await page.getByRole("img", { name: "Page 1 as it is drawn" }).waitFor();

  await staff.press("Correct: 41774-8801 PISTON RING");
  await page.getByText("Change what is wrong.").waitFor();
  await page.getByLabel("Part number").fill("41774-8810");
  await page.getByLabel("Quantity").fill("3");
  await staff.axeClean();
  await press(staff.inDialog("Save"));
  await page.getByRole("button", { name: /^41774-8810 PISTON RING/ }).waitFor();
  await staff.press("Not a part: 41774-8803 NO PART AT ALL");
  const corrections = page.getByRole("region", { name: /^Corrected on this page/ });
  await corrections.getByText("Not a part").waitFor();
  await staff.press("Add a part");
  await page.getByLabel("Part number").fill("41774-8899");
  await press(staff.inDialog("Save"));
  await page
    .getByRole("button", { name: /^41774-8899/ })
    .first()
    .waitFor();
  await staff.press("Correct: Figure 1: Fuel System");
  await page.getByLabel("Label").fill("7");
  await press(staff.inDialog("Save"));
  await page.getByText("Figure 7: Fuel System", { exact: true }).first().waitFor();
  await corrections.getByText("Part number: 41774-8801 → 41774-8810; Quantity: 1 → 3").waitFor();
  await corrections.getByText("being taken over").first().waitFor({ state: "detached", timeout: 60_000 });
  await staff.axeClean();

  // What was removed comes back; machines and search have the rest.
  await staff.press("Undo: 41774-8803 NO PART AT ALL");
  await page
    .getByRole("button", { name: /^41774-8803/ })
    .first()
    .waitFor({ timeout: 60_000 });
  const equipment = "/api/ai/equipment?model=TS420";
  await eventually(async () => {
    const { body } = await system.request("gateway", "GET", equipment);
    const numbers = body.parts.map(({ partNumber }: { partNumber: string }) => partNumber).toSorted();
    return String(numbers) === "41774-8802,41774-8803,41774-8810,41774-8899";
  }, 60_000);

  // Somebody else was faster: their correction is not overwritten.
  const sha256 = new URL(page.url()).pathname.split("/")[2]!;
  await staff.press("Correct: 41774-8802 GUDGEON");
  const findings = `/api/manuals/${sha256}/pages/1`;
  const { body: read } = await system.request("gateway", "GET", `${findings}/findings`, asAdmin);
  const row = read.parts.find(({ part_number }: { part_number: string }) => part_number === "41774-8802").row;
  const theirs = { body: { quantity: 5 }, ...asAdmin };
  expect((await system.request("gateway", "PATCH", `${findings}/parts/${row}`, theirs)).status).toBe(202);
  await page.getByLabel("Description").fill("PIN");
  await press(staff.inDialog("Save"));
  await page.getByRole("alert").getByText("Someone else changed this").waitFor();
  await press(staff.inDialog("Close"));
  expect(staff.complaints.filter((line) => !line.includes("409"))).toEqual([]);
});

browserTest("a manual that does not say its machine is asked about, and saved with a suggestion", async () => {
  const pdf = await drawnPdf((document) => {
    document.fontSize(16).text("Spare parts", 72, 60);
    drawPartsList(document, [["1", "90210-772", "IMPELLER", "2"]]);
  });
  const page = await come("/manuals");
  await page.getByLabel("PDF file").setInputFiles({ name: "bx2350.pdf", mimeType: "application/pdf", buffer: pdf });
  await staff.press("Upload");
  await page.getByText("1 part, 0 models.").waitFor({ timeout: 120_000 });
  await press(page.getByRole("alert").getByRole("link", { name: "Which machine is it for?" }));
  await page.getByText("The manual doesn't say clearly").waitFor();
  await staff.axeClean();
  await press(page.getByRole("button", { name: /^BX2350 \(\d+ %\)/ }));
  await page.getByLabel(/^Manufacturer/).fill("Kubota");
  await staff.press("Save");
  await page.getByText("Saved. Search, machines").waitFor();
  const sha256 = new URL(page.url()).pathname.split("/")[2]!;
  const manual = async () => (await system.request("gateway", "GET", `/api/manuals/${sha256}`)).body;
  await eventually(async () => (await manual()).manufacturer === "Kubota", 30_000);
  expect(await manual()).toMatchObject({ equipment: ["BX2350"] });
  expect(await manual()).not.toHaveProperty("unsure");
  await page.reload();
  await page.getByText("Kubota BX2350").waitFor();
  expect(await page.getByText("The manual doesn't say clearly").count()).toBe(0);
  expect(staff.complaints).toEqual([]);
});

browserTest("parts are found by number with their sources; a vendor is renamed, with refusals in words", async () => {
  const page = await come("/catalog-parts");
  await page.getByRole("textbox", { name: "Part number or words" }).fill("900 002");
  await press(page.getByRole("link", { name: "900-002" }));
  await page.getByText("price file", { exact: true }).waitFor();
  await press(page.getByRole("link", { name: "900-001" }));
  await page.getByRole("heading", { name: "900-001 · Console test filter", level: 1 }).waitFor();

  await staff.goTo("/vendors");
  await page.getByText("sold on backorder").first().waitFor();
  await staff.press("Add a vendor");
  await page.getByText("A code has three letters").waitFor();
  await page.getByLabel("Code, three letters").fill("xqz");
  await page.getByLabel("Name", { exact: true }).fill("Kawasaki");
  await press(staff.inDialog("Save"));
  await page.getByRole("alert").getByText("The 'name' field is a name of KAW (Kawasaki)").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Example Mowers");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "Example Mowers", exact: true }).waitFor();
  await press(page.getByRole("button", { name: "Reset: Example Mowers" }));
  await press(staff.button("Confirm"));
  await page.getByRole("cell", { name: "Example Mowers", exact: true }).waitFor({ state: "detached" });
  expect(staff.complaints).toEqual([]);

  await staff.goTo("/catalog-parts/bns-900999/show");
  await page
    .getByRole("alert")
    .getByText(/900999/)
    .waitFor();
  expect(new URL(page.url()).pathname).toBe("/catalog-parts/bns-900999/show");
});

browserTest("a part is edited beside what its file says, hidden, taken back, and made by hand", async () => {
  const page = await come("/catalog-parts");
  await page.getByRole("textbox", { name: "Part number or words" }).fill("filter CONSOLE");
  await press(page.getByRole("link", { name: "900-001" }));
  await press(page.getByRole("link", { name: "Edit part" }));
  await page.getByRole("textbox", { name: "Title" }).fill("Better filter");
  await press(page.getByRole("combobox", { name: "Price" }));
  await press(page.getByRole("option", { name: "Fixed price" }));
  await page.getByLabel("Fixed price (USD)").fill("24.95");
  await page.getByLabel("Attributes", { exact: true }).fill("no colon");
  await page.getByLabel("Hidden").check();
  await page
    .getByLabel("Upload a picture")
    .setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: await jpegOnItsSide() });
  await page
    .getByRole("textbox", { name: "Pictures" })
    .getByText(/\/api\/media\/[0-9a-f]{64}$/)
    .waitFor();
  await page.getByText("Vendor's price: $20.00").waitFor();
  await staff.press("Save");
  await page.getByText("Enter a name, a colon and a value: “no colon”").waitFor();
  await page.getByLabel("Attributes", { exact: true }).fill("Height: 84 mm");
  await staff.axeClean();
  await staff.press("Save");
  await page.getByRole("heading", { name: "900-001 · Better filter", level: 1 }).waitFor();
  const edits = page.getByRole("table", { name: "Edits" });
  await edits.getByRole("row", { name: "Title Better filter Console test filter" }).waitFor();
  await edits.getByRole("row", { name: "Price $24.95 $20.00" }).waitFor();
  await staff.goTo("/catalog-parts");
  await page.getByRole("textbox", { name: "Part number or words" }).fill("better");
  await page.getByRole("cell", { name: "hidden, edited" }).waitFor();

  await staff.goTo("/catalog-parts/bns-900001");
  await staff.press("Undo edit: Title");
  await staff.press("Undo edit: Attributes");
  await staff.press("Undo edit: Pictures");
  await page.getByLabel("Hidden").uncheck();
  await press(page.getByRole("combobox", { name: "Price" }));
  await press(page.getByRole("option", { name: "Vendor's price", exact: true }));
  await staff.press("Save");
  await page.getByRole("heading", { name: "900-001 · Console test filter", level: 1 }).waitFor();
  await edits.waitFor({ state: "detached" });

  await staff.goTo("/catalog-parts");
  await press(page.getByRole("link", { name: "New part" }));
  await page.getByRole("textbox", { name: "Title" }).fill("Shop rag");
  await page.getByRole("textbox", { name: "Part number" }).fill("SP-1");
  await page.getByLabel("Fixed price (USD)").fill("3");
  await page.getByLabel("Bin").fill("C-3");
  await staff.press("Save");
  await page.getByText("Enter how many pieces are there.").waitFor();
  await page.getByLabel("On hand").fill("7");
  await staff.press("Save");
  await page.getByRole("heading", { name: "SP-1 · Shop rag", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/catalog-parts/own-sp1/show");
  const shelf = page.getByRole("table", { name: "Own stock" }).getByRole("row").last();
  await shelf.getByRole("cell", { name: "C-3" }).waitFor();
  await shelf.getByRole("cell", { name: "7", exact: true }).waitFor();
  expect(staff.complaints).toEqual([]);
});

browserTest(
  "a shelf is counted by hand; a count that another clerk was faster with is refused; low stock is listed, bought and received",
  async () => {
    const page = await come("/catalog-parts/bns-900001/show");
    await staff.press("Count");
    await page.getByLabel("On hand").fill("four");
    await page.getByText("Enter a whole number from 0 to 1,000,000.").waitFor();
    expect(await staff.inDialog("Save count").isDisabled()).toBe(true);
    await page.getByLabel("On hand").fill("4");
    await page.getByLabel("Bin").fill("A-12");
    await page.getByLabel("Reorder at").fill("4");
    await page.getByLabel("Reason").fill("First count");
    await staff.axeClean();
    await press(staff.inDialog("Save count"));
    const places = page.getByRole("table", { name: "Own stock" });
    await places.getByText("A-12").waitFor();
    await page.getByRole("table", { name: "Movements" }).getByText("First count").waitFor();

    await staff.press("Count: main");
    const counted = await system.request("gateway", "PUT", "/api/admin/parts/bns-900001/stock", {
      ...{ adminToken: ADMIN_TOKEN, body: { onHand: 3 } },
    });
    expect(counted.status).toBe(200);
    await page.getByLabel("On hand").fill("5");
    await press(staff.inDialog("Save count"));
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.keyboard.press("Escape");

    await staff.goTo("/low-stock");
    await press(page.getByRole("button", { name: /^Order from/ }));
    await page.getByLabel("Quantity of 900-001").fill("6");
    await page.getByLabel("Expected").fill("2030-12-08");
    await staff.axeClean();
    await press(staff.inDialog("Record purchase"));
    await page.getByText("All of these are on order.").waitFor();
    await staff.goTo("/purchases");
    await page.getByText("0 of 6 received").waitFor();
    await page.getByText("Dec 8, 2030").waitFor();
    await staff.axeClean();
    await press(page.getByRole("button", { name: /^Receive: / }));
    await page.getByLabel("Quantity of 900-001").fill("2");
    await press(staff.inDialog("Add to stock"));
    await page.getByText("2 of 6 received").waitFor();
    await staff.goTo("/low-stock");
    await page.getByText("Nothing to reorder").waitFor();
    await staff.goTo("/catalog-parts/bns-900001/show");
    await page.getByRole("table", { name: "Movements" }).getByText("received from vendor").waitFor();
    await places.getByRole("cell", { name: "5", exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    await page.getByRole("list", { name: "Own stock" }).waitFor();
    await staff.axeClean();
    expect(staff.complaints).toEqual([]);
  },
);

browserTest("a dealer's list shows how it is read, is mapped and converted by hand, on a phone too", async () => {
  const page = await come("/price-files");
  await page.getByRole("heading", { name: "Price files" }).first().waitFor();
  // The menu beside the page closes with the window.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByLabel("Vendor", { exact: true }).selectOption("PTZ");
  await page.getByLabel(/^Price file \(/).setInputFiles({
    ...{ name: "liste.csv", mimeType: "text/csv" },
    buffer: Buffer.from(
      "Art.-Nr.;Bezeichnung;EK;VK;Lager\nM-1;Ölfilter;4,00 EUR;8,90 EUR;3\nM-2;Kühler;90,00 EUR;180,00 EUR;0\n",
      "latin1",
    ),
  });
  await staff.press("Check first");
  await page.getByRole("alert").getByText("The prices are in EUR, but the shop sells in USD.").waitFor();
  await page.getByLabel("Prices in EUR").selectOption("rate");
  await page.getByLabel("1 EUR in USD").fill("1,1");
  await staff.press("Check first");
  await page.getByText("Checked. Nothing has been imported yet.").waitFor();
  expect(await page.getByLabel("Read as: VK").inputValue()).toBe("list_price");
  expect(await page.getByRole("table", { name: "How the file is read" }).getByText("9.79").count()).toBe(1);
  await staff.axeClean();
  await page.getByLabel("Read as: EK").selectOption("list_price");
  expect(await page.getByLabel("Read as: VK").inputValue()).toBe("");
  // A second look keeps what was chosen.
  await staff.press("Check first");
  await page.getByText("Checked. Nothing has been imported yet.").waitFor();
  await page.getByRole("button", { name: "Import", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Imported", { exact: true }).waitFor();
  const part = (await system.request("catalog", "GET", "/parts/ptz/M-1")).body;
  expect(part).toMatchObject({ title: "Ölfilter", price: { list: { value: 4.4 } }, stock: { quantityOnHand: 3 } });

  const stock = "/api/admin/parts/ptz-m1/stock";
  await system.request("gateway", "PUT", stock, { ...asAdmin, body: { onHand: 7 } });
  await staff.press("Check first");
  await page.getByText("Counted by hand since the last file, with another result: 1.").waitFor();
  await page.getByLabel("Replace counts made by hand").check();
  await staff.press("Import");
  await page.getByText("Imported", { exact: true }).waitFor();
  const { movements } = (await system.request("gateway", "GET", stock, asAdmin)).body;
  expect(movements[0]).toMatchObject({ cause: "price_file", change: -4, onHand: 3, reason: "liste.csv" });
  expect(staff.complaints).toEqual([]);
});

browserTest(
  "a price file of 10,000 lines is read on while the page reloads, and its report is there then",
  async () => {
    const page = await come("/price-files");
    await page.getByLabel("Vendor").selectOption("GRP");
    const rows = Array.from({ length: 10_000 }, (_, row) =>
      row < 3_000 ? `bad-${row},,1` : `77-${row},Big file ${row},1`,
    );
    await page.getByLabel(/^Price file \(/).setInputFiles({
      ...{ name: "big.csv", mimeType: "text/csv" },
      buffer: Buffer.from(["part_number,title,list_price", ...rows, ""].join("\n")),
    });
    await staff.press("Import");
    const newest = async () =>
      (await system.request("catalog", "GET", "/catalog/imports", asAdmin)).body.imports[0] as Record<string, unknown>;
    // The file is on its way.
    await eventually(async () => (await newest()).vendor === "GRP" && Number((await newest()).read) > 0, 30_000);
    await page.reload();
    const row = page.getByRole("table", { name: "Imports" }).getByRole("row").nth(1);
    await row.getByText("completed").waitFor({ timeout: 120_000 });
    expect(await newest()).toMatchObject({ read: 10_000, written: 7_000, refusedTotal: 3_000, dryRun: false });
    await press(row.getByRole("button", { name: /^View: GRP/ }));
    await page.getByRole("dialog").getByText("3,000", { exact: true }).waitFor();
    await staff.axeClean();
    const download = page.waitForEvent("download");
    await press(staff.inDialog("Refused rows as a file"));
    const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
    expect([lines.length, lines[1]]).toEqual([3_002, `2,“Title” is empty.,`]);
    expect(staff.complaints).toEqual([]);
  },
);

browserTest("cross references are imported with a report, looked up and removed", async () => {
  const page = await come("/interchange");
  await page.getByLabel("File (CSV or NDJSON)").setInputFiles({
    ...{ name: "cross.csv", mimeType: "text/csv" },
    buffer: Buffer.from("vendor,part_number,other_vendor,other_part_number\nKAW,1,BNS,900-001\nNONE,2,BNS,3\n"),
  });
  await staff.press("Import");
  await page.getByText("Imported", { exact: true }).waitFor();
  await page.getByText(/^Line 3: /).waitFor();
  await page.getByRole("textbox", { name: "Part number" }).fill("900001");
  await press(page.getByRole("button", { name: "Remove: KAW 1, BNS 900-001" }));
  await press(staff.button("Confirm"));
  await page.getByText("Removed", { exact: true }).waitFor();
  expect((await system.request("catalog", "GET", "/catalog/interchange", asAdmin)).body.references).toEqual([]);
  expect(staff.complaints).toEqual([]);
});

browserTest("a sync runs, its fault is explained, and the schedule is paused and resumed", async () => {
  const page = await come("/syncs");
  const fault = { body: { kind: "not_json", page: 3, times: 1 } };
  await fetch(`${system.sandboxUrl("tires")}/sandbox/faults`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fault.body),
  });
  await page.getByLabel("Vendor").selectOption("KMT");
  await staff.press("Start");
  await page.getByText("Sync started", { exact: true }).waitFor();
  await page.reload();
  const faults = page.getByRole("region", { name: "Errors in the last 24 hours" });
  await faults.getByText("partly failed").waitFor();
  await press(faults.getByRole("button", { name: /^View: KMT/ }));
  await page
    .getByRole("dialog")
    .getByText(/^Page 3: /)
    .waitFor();
  await staff.axeClean();
  await page.keyboard.press("Escape");
  await press(page.getByRole("button", { name: "Pause: KMT" }));
  await page.getByRole("cell", { name: "paused" }).waitFor();
  await press(page.getByRole("button", { name: "Resume: KMT" }));
  await page.getByRole("button", { name: "Pause: KMT" }).waitFor();
  const { jobs } = (await system.request("catalog", "GET", "/catalog/timetable", asAdmin)).body;
  expect(jobs.find(({ job }: { job: string }) => job === "KMT")).toMatchObject({ paused: false });
  expect(staff.complaints).toEqual([]);
});

browserTest("a customer is found without an address in a URL; a guest's data is exported and erased", async () => {
  const token = await system.token("customer");
  const named = { token, body: { name: "Ada <i>Mechanic</i>" } };
  expect((await system.request("gateway", "PATCH", "/api/users/me", named)).status).toBe(200);
  const { orderId, orderNumber } = await buy(system, { items: [ITEM] });
  const page = await come("/users");
  const urls: string[] = [];
  page.on("request", (request) => urls.push(decodeURIComponent(request.url())));
  await page.getByRole("textbox", { name: "Name, email or ID" }).fill("customer@partline");
  await press(page.getByRole("link", { name: "Ada <i>Mechanic</i>" }));
  await page.getByText("No order").waitFor();
  expect(urls.filter((url) => url.includes("customer@"))).toEqual([]);
  const exported = page.waitForEvent("download");
  await press(page.getByRole("link", { name: "Export" }));
  expect(readFileSync(await (await exported).path(), "utf8")).toContain("Ada <i>Mechanic</i>");

  await staff.goTo("/users");
  await page.getByLabel("Order number").fill(orderNumber);
  await page.getByLabel("Email", { exact: true }).fill("shopper@example.com");
  const guests = page.waitForEvent("download");
  await staff.press("Export");
  expect(readFileSync(await (await guests).path(), "utf8")).toContain("shopper@example.com");
  await staff.press("Erase");
  await press(staff.button("Confirm"));
  await page.getByText("Will be erased once the order is done. Left to do: To pack").waitFor();
  const orderPath = `/api/admin/orders/${orderId}`;
  const shipped = await system.request("payment", "POST", `${orderPath}/shipments`, { ...asAdmin, body: {} });
  expect(shipped.status).toBe(201);
  const delivered = await system.request("payment", "PATCH", orderPath, { ...asAdmin, body: { status: "delivered" } });
  expect(delivered.status).toBe(200);
  await staff.press("Erase");
  await press(staff.button("Confirm"));
  await page.getByText(/^Erased: /).waitFor();
  const left = await system.request("payment", "GET", orderPath, asAdmin);
  expect(left.body.data.contact).toBeUndefined();
  expect(staff.complaints).toEqual([]);
});

browserTest("a clerk sees of these pages what a clerk may", async () => {
  await staff.comeInAs("clerk", "/search");
  const { page } = staff;
  await page.getByRole("heading", { name: "Builds" }).waitFor();
  await page.getByRole("table", { name: "Builds" }).waitFor();
  for (const name of ["Rebuild", "Save", "Roll back: tires"]) expect(await staff.button(name).count()).toBe(0);
  expect(await page.getByRole("heading", { name: /^Searches without/ }).count()).toBe(0);
  await staff.goTo("/manuals");
  await page.getByRole("heading", { name: "Reading" }).waitFor();
  expect(await staff.button("Upload").count()).toBe(0);
  await staff.goTo("/syncs");
  await page.getByText(/^This page needs a permission .*\(catalog:write\)\.$/).waitFor();
});
