import { beforeAll, describe, expect, it } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

const system = useSystem();
beforeAll(async () => {
  await importParts(
    system,
    "swp",
    "part_number,title,list_price,status,superseded_by,category,image_url\nVX-11.01,Vexbrush Bristle,19.99,,,Vexbrushes,http://127.0.0.1/v.svg\n" +
      'VX-11.02,"Vexbrush, old <1>",15,discontinued,VX-11.01,Vexbrushes,\nVX-12.01,Vex Bristle,5,,,Vexbrushes,\nVX-13.01,Vexel Motor,,,,Motors,\n',
  );
});

const get = (path: string, entry: "search" | "gateway" = "search"): Promise<Answer> =>
  system.request(entry, "GET", path);
const preview = {
  id: "swp-vx1101",
  partNumber: "VX-11.01",
  title: "Vexbrush Bristle",
  unitPrice: 19.99,
  imageUrl: "http://127.0.0.1/v.svg",
};

describe("GET /api/search/suggest", () => {
  it("names parts by the beginning of their number, and completes words", async () => {
    expect((await get("/api/search/suggest?q=vx110&limit=1", "gateway")).body).toEqual({
      suggestions: [{ text: "VX-11.01", highlighted: "<em>VX-11.0</em>1", kind: "part", part: preview }],
    });
    const { body } = await get("/api/search/suggest?q=vexbr");
    expect(body.suggestions).toContainEqual({ text: "vexbrush", highlighted: "<em>vexbr</em>ush", kind: "query" });
    expect((await get("/api/search/suggest?q=vexburs")).body.suggestions[0]).toMatchObject({
      text: "vexbrush",
      kind: "query",
    });
    expect((await get("/api/search/suggest?q=vx1&limit=2")).body.suggestions).toHaveLength(2);
  });

  it("is empty for nothing typed and nothing found", async () => {
    for (const query of ["", "?q=", "?q=%20", "?q=zzzzzqqqq"])
      expect(await get(`/api/search/suggest${query}`)).toMatchObject({ status: 200, body: { suggestions: [] } });
  });
});

describe("GET /api/ai", () => {
  it("answers hits and their number", async () => {
    const { status, body } = await get("/api/ai?q=vex+bristle&limit=1", "gateway");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["hits", "total"]);
    expect(body.hits).toHaveLength(1);
    expect((await get("/api/ai?q=vexel+motor")).body).toMatchObject({
      hits: [{ id: "swp-vx1301", title: "Vexel Motor", unitPrice: null }],
      total: 1,
    });
  });
});

describe("GET /api/ai/parts/{id}", () => {
  it("answers the part, what it fits and what could stand in for it", async () => {
    const { status, body } = await get("/api/ai/parts/SWP-vx1101", "gateway");
    expect(status).toBe(200);
    expect(body.part).toMatchObject({
      ...preview,
      status: "active",
      availability: "unknown",
      description: null,
      media: { hasImages: true, imageCount: 1, images: [{ url: "http://127.0.0.1/v.svg" }] },
      sources: ["price_file"],
      createdAt: expect.stringMatching(/^20.*Z$/),
      updatedAt: expect.stringMatching(/^20.*Z$/),
      skuVariants: expect.arrayContaining(["VX1101"].map((variant) => expect.stringContaining(variant))),
    });
    expect(body.fitment).toEqual([]);
    expect(
      body.alternatives.map(({ reason, part }: { reason: string; part: { id: string } }) => [reason, part.id]),
    ).toEqual([
      ["predecessor", "swp-vx1102"],
      ["similar", "swp-vx1201"],
    ]);
    expect((await get("/api/ai/parts/swp-vx1102")).body.alternatives[0]).toMatchObject({
      reason: "successor",
      part: preview,
    });
  });

  it("is found by SKU and number, unless several parts have that", async () => {
    for (const name of ["CT-SWP-VX-11.01", "VX-11.01", "vx 1101", "SWP VX1101"])
      expect((await get(`/api/ai/parts/${encodeURIComponent(name)}`)).body.part).toMatchObject(preview);
    await importParts(system, "grp", "part_number,title\nVX-13.01,Grapple Tine\n");
    const { status, body } = await get("/api/ai/parts/VX-13.01");
    expect(status).toBe(404);
    expect(body.error.message).toMatch(/^Several parts have the number 'VX-13.01'. Ask by id: /);
    for (const id of ["swp-vx1301", "grp-vx1301"]) expect(body.error.message).toContain(id);
  });

  it("a part without a price says in a cart that it has none yet", async () => {
    const [hit] = (await get("/api/ai?q=swp+vx-13.01")).body.hits;
    const { status, body } = await system.request("gateway", "POST", "/api/cart", {
      body: { cartId: "vexel-motor-cart-0001", items: [{ ...hit, quantity: 1 }] },
    });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("price on request")]);
  });

  it.each(["swp-none", "x", "%00", "a".repeat(201)])("does not find %s", async (id) => {
    expect(await get(`/api/ai/parts/${id}`)).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
  });
});
