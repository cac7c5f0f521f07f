import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { drawnPdf, drawPartsList } from "../support/pdf.ts";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";
import { importParts, sendManual } from "../support/requests.ts";

const PARTS = [
  ["3", "77310-4401", "QUIXOTE CARBURETOR", "1"],
  ["4", "77310-4402", "QUIXOTE GASKET", "2"],
];

/** Where the reference numbers are drawn, points from the top left corner. */
const DRAWN = [
  ["3", 200, 500],
  ["4", 400, 550],
  ["5", 500, 600],
] as const;

/** A figure with its parts, whose numbers the catalog has, and below them its drawing. */
function manual(): Promise<Buffer> {
  return drawnPdf(
    (document) => {
      document.addPage();
      document.fontSize(18).text("Meadow ZQ-9100 Parts Manual", 72, 72);
      document.addPage();
      document.fontSize(16).text("Figure 7: Fuel System", 72, 72);
      drawPartsList(document, PARTS);
      for (let turn = 1; turn <= 12; turn += 1) document.circle(300, 550, turn * 6).stroke();
      document.fontSize(10);
      for (const [ref, x, y] of DRAWN) document.text(ref, x, y, { lineBreak: false });
    },
    { autoFirstPage: false, margin: 72, info: { Title: "Meadow ZQ-9100 Parts Manual", CreationDate: new Date(0) } },
  );
}

const CARBURETOR = {
  ref: "3",
  partNumber: "77310-4401",
  partId: "kaw-773104401",
  title: "Quixote Carburetor",
  quantity: 1,
  price: 45.5,
  availability: "unknown",
};
const UNLISTED = { ref: "5", partNumber: null, partId: null, title: null, price: null, availability: null };

const system = useSystem();
let sha256: string;
const get = (path: string, entry: "ai" | "search" | "gateway" = "gateway"): Promise<Answer> =>
  system.request(entry, "GET", path);

beforeAll(async () => {
  await importParts(
    system,
    "kaw",
    "part_number,title,list_price\n77310-4401,Quixote Carburetor,45.50\n77310-4403,Quixote Carburetor for another,50\n",
  );
  const content = await manual();
  sha256 = sha256Of(content);
  expect((await sendManual(system, content, { equipment: "ZQ-9100", manufacturer: "Meadow" })).status).toBe(202);
  await eventually(async () => (await get("/api/ai/equipment?model=zq9100")).body.parts.length > 0, 90_000);
  await eventually(async () => (await get("/api/search?q=quixote")).body.pagination.total === 2, 30_000);
});

describe("equipment and its parts, over HTTP", () => {
  it("lists the parts of an equipment however it is typed", async () => {
    for (const model of ["ZQ-9100", "zq%209100", "meadow+zq9100", "ZQ"]) {
      const { status, body } = await get(`/api/ai/equipment?model=${model}`);
      expect(status).toBe(200);
      expect(body.equipment).toEqual([{ equipment: "ZQ-9100", manufacturer: "Meadow" }]);
      expect(
        body.parts.map((part: Record<string, unknown>) => [
          part.partNumber,
          part.reference,
          part.quantity,
          part.description,
          part.page,
        ]),
      ).toEqual(
        PARTS.map(([reference, number, description, quantity]) => [
          number,
          reference,
          Number(quantity),
          description,
          2,
        ]),
      );
    }
  });

  it("shows the catalog's part, and a link that opens the page without a credential", async () => {
    const [part] = (await get("/api/ai/equipment?part=77310%204401")).body.parts;
    expect(part).toMatchObject({
      equipment: "ZQ-9100",
      productId: "kaw-773104401",
      schema: expect.stringContaining("Fuel System"),
      pdf_link: `${system.url("gateway")}/api/manuals/${sha256}/source.pdf#page=2`,
    });
    const pdf = await fetch(part.pdf_link);
    expect([pdf.status, pdf.headers.get("content-type"), (await pdf.text()).slice(0, 5)]).toEqual([
      200,
      "application/pdf",
      "%PDF-",
    ]);
  });

  it("leads from a make to a part in the cart", async () => {
    expect((await get("/api/fitment/makes?q=medow")).body).toMatchObject({
      makes: [{ make: "Meadow" }],
      near: true,
    });
    const { models } = (await get("/api/fitment/models?make=meadow&q=zq")).body;
    expect(models).toEqual([{ id: "meadow-zq-9100", equipment: "ZQ-9100", manufacturer: "Meadow", manuals: 1 }]);
    const { figures } = (await get(`/api/fitment/models/${models[0].id}/figures`)).body;
    expect(figures).toMatchObject([{ schema: expect.stringContaining("Fuel System"), page: 2 }]);
    const { status, body } = await get(`/api/fitment/figures/${figures[0].id}?model=zq9100`);
    expect(status).toBe(200);
    expect(body.parts).toMatchObject([
      { reference: "3", partId: "kaw-773104401", price: 45.5, description: "QUIXOTE CARBURETOR" },
      { reference: "4", partId: null, price: null, title: "QUIXOTE GASKET", quantity: 2 },
    ]);
    expect(body.drawings).toMatchObject([{ page: 2, callouts: [CARBURETOR, { ref: "4" }, UNLISTED] }]);
    const { partId, partNumber, title, price, quantity, availability } = body.drawings[0].callouts[0];
    const cart = await system.request("gateway", "POST", "/api/cart", {
      body: {
        cartId: `cart_${Date.now()}_callout`,
        items: [{ productId: partId, partNumber, title, unitPrice: price, quantity, availability }],
      },
    });
    expect(cart.status).toBe(201);
  });

  it.each([
    ["/api/fitment/makes?q=&modell=1", 200],
    ["/api/fitment/makes?pageSize=101", 400],
    [`/api/fitment/models?q=${"x".repeat(101)}`, 400],
    ["/api/fitment/models/no-such-9999/figures", 404],
    ["/api/fitment/models/ZQ/figures", 404],
    ["/api/fitment/figures/7", 404],
    [`/api/fitment/figures/${"0".repeat(64)}-000000000000`, 404],
  ])("%s is %d", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it("a part shows what it fits", async () => {
    const { fitment } = (await get("/api/ai/parts/kaw-773104401", "search")).body;
    expect(fitment).toEqual([
      {
        equipment: "ZQ-9100",
        schema: expect.stringContaining("Fuel System"),
        quantity: 1,
        pdf_link: `${system.url("gateway")}/api/manuals/${sha256}/source.pdf#page=2`,
        source: "manual",
      },
    ]);
    expect((await get("/api/ai/parts/kaw-773104403")).body).toMatchObject({ fitment: [] });
  });

  it("a search narrows to the parts of an equipment, and counts them", async () => {
    const ids = ({ body }: Answer): string[] => body.parts.map(({ id }: { id: string }) => id);
    expect(ids(await get("/api/search?q=quixote&equipment=ZQ%209100"))).toEqual(["kaw-773104401"]);
    expect(ids(await get("/api/search?equipment=zq9100", "search"))).toEqual(["kaw-773104401"]);
    expect(ids(await get("/api/search?q=quixote&equipment="))).toHaveLength(2);
    expect((await get("/api/search?q=quixote&equipment=ZQ-9101")).body).toMatchObject({
      parts: [],
      pagination: { total: 0 },
    });
    const { body } = await get("/api/filters?equipment=zq9100");
    expect([body.total, body.facets.manufacturer.map(({ value }: { value: string }) => value)]).toEqual([1, ["KAW"]]);
  });

  it("a part that is discontinued has no price in a drawing", async () => {
    const row = "77310-4401,Quixote Carburetor,45.50,discontinued";
    expect((await importParts(system, "kaw", `part_number,title,list_price,status\n${row}\n`)).body).toMatchObject({
      written: 1,
    });
    const { callouts } = (await get(`/api/manuals/${sha256}/pages/2`)).body;
    expect(callouts[0]).toMatchObject({ ref: "3", partId: "kaw-773104401", price: null });
  });
});
