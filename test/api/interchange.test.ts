import { describe, expect, it } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";

const system = useSystem();

const upload = (path: string, rawBody: string, contentType = "text/csv"): Promise<Answer> =>
  system.request("catalog", "POST", path, {
    rawBody,
    headers: { "Content-Type": contentType },
    adminToken: ADMIN_TOKEN,
  });
const admin = (method: "GET" | "DELETE", path: string): Promise<Answer> =>
  system.request("catalog", method, path, { adminToken: ADMIN_TOKEN });
const search = async (q: string): Promise<Answer["body"]> =>
  (await system.request("search", "GET", `/api/search?q=${encodeURIComponent(q)}`)).body;
const COLUMNS = "vendor,part_number,other_vendor,other_part_number,direction,source";

describe("interchange", () => {
  it("finds ours by another maker's number, says why, and follows three steps and no circle", async () => {
    await upload(
      "/catalog/import/wvr",
      "part_number,title,list_price\nZQ-7001,Widget Filter,9.5\nZQ-7003,Widget Long,\n",
    );
    expect((await search("zk88001")).pagination.total).toBe(0);
    const rows = [
      "Kohler,ZK 880 01,WVR,ZQ-7001,both,oem list",
      "KOH,ZK-880-01,hon,ZH-1-1,both,",
      "HON,ZH-1-1,AMC,ZA-1,one_way,",
      "AMC,ZA-1,WVR,ZQ-7003,one-way,wholesaler",
      "WVR,ZQ-7003,HON,ZH-1-1,one_way,",
    ];
    const { body } = await upload("/catalog/interchange", `${COLUMNS}\n${rows.join("\n")}\n`);
    expect(body).toEqual({ read: 5, written: 5, unchanged: 0, refused: [], refusedTotal: 0 });

    const found = await search("zk88001");
    expect(found.parts.map(({ id, interchangeOf }: Answer["body"]) => [id, interchangeOf])).toEqual(
      expect.arrayContaining([
        [
          "wvr-zq7001",
          {
            partNumber: "ZK 880 01",
            manufacturer: { name: "Kohler", code: "KOH" },
            steps: 1,
            sources: ["oem list"],
          },
        ],
        ["wvr-zq7003", expect.objectContaining({ steps: 3, sources: ["file", "wholesaler"] })],
      ]),
    );
    expect(found.pagination.total).toBe(2);
    expect((await search("kohler zk-880-01")).parts[0]).toMatchObject({
      id: "wvr-zq7001",
      interchangeOf: { steps: 1 },
    });
    const own = (await search("ZQ-7001")).parts[0];
    expect(own.id).toBe("wvr-zq7001");
    expect(own).not.toHaveProperty("interchangeOf");
    // One way: the longer one stands in for the others, and they not for it, but by the circle.
    expect((await search("ZQ-7003")).parts.map(({ id }: { id: string }) => id)).toEqual(["wvr-zq7003", "wvr-zq7001"]);

    const { interchange } = (await system.request("gateway", "GET", "/api/parts/wvr-zq7001")).body;
    const told = interchange.map(({ partNumber, direction, steps }: Answer["body"]) => [partNumber, direction, steps]);
    expect(told).toEqual([
      ["ZK 880 01", "both", 1],
      ["ZH-1-1", "both", 2],
      ["ZA-1", "to", 3],
      ["ZQ-7003", "from", 3],
    ]);
    expect(interchange.at(-1).part).toEqual({
      id: "wvr-zq7003",
      title: "Widget Long",
      status: "active",
      price: null,
      availability: "unknown",
    });
    expect(interchange[1]).not.toHaveProperty("part");
  });

  it("reports rows that cannot be used, and writes nothing twice", async () => {
    const rows = [
      "KAW,ZR-1,Acme Unknown,1,both,",
      "KAW,ZR-1,kaw,zr1,both,",
      "KAW,ZR-1,BNS,--,both,",
      "KAW,ZR-1,BNS,ZS-1,sideways,",
      "KAW,ZR-1,BNS,ZS-1,,",
      "kaw,zr 1,bns,zs 1,both,",
    ];
    const file = `${COLUMNS}\n${rows.join("\n")}\n`;
    const { body } = await upload("/catalog/interchange", file);
    expect(body.refused).toMatchObject([
      { line: 2, code: "vendor_unknown", reason: "The column 'other_vendor' names no vendor: \"Acme Unknown\"" },
      { line: 3, code: "same_part", reason: "The column 'other_part_number' must be the number of another part" },
      { line: 4, code: "number_blank", reason: "The column 'other_part_number' has no letter or digit: \"--\"" },
      { line: 5, code: "not_direction", reason: "The column 'direction' must be both or one_way, or empty" },
      { line: 7, code: "reference_repeated", reason: "The row repeats the two parts of line 6" },
    ]);
    expect(body).toMatchObject({ read: 6, written: 1, refusedTotal: 5 });
    expect((await upload("/catalog/interchange", file)).body).toMatchObject({ written: 0, unchanged: 1 });
    expect((await upload("/catalog/interchange", "vendor,part_number\n")).status).toBe(400);
    expect((await upload("/catalog/interchange", "{}", "application/json")).status).toBe(415);
  });

  it("is listed and deleted, one by one and by its source", async () => {
    const file = [1, 2, 3].map((n) => `MCH,ZL-${n},PTZ,ZP-${n},one_way,passing`).join("\n");
    await upload("/catalog/interchange", `${COLUMNS}\n${file}\n`);
    const listed = (await admin("GET", "/catalog/interchange?vendor=ptz&partNumber=zp%202")).body.references;
    expect(listed).toEqual([
      {
        id: "mch-zl2~ptz-zp2",
        part: { vendor: "MCH", pnNorm: "ZL2", partNumber: "ZL-2" },
        other: { vendor: "PTZ", pnNorm: "ZP2", partNumber: "ZP-2" },
        direction: "one_way",
        source: "passing",
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await admin("DELETE", "/catalog/interchange/mch-zl2~ptz-zp2")).body).toEqual({ deleted: 1 });
    expect((await admin("DELETE", "/catalog/interchange/mch-zl2~ptz-zp2")).status).toBe(404);
    expect((await admin("GET", "/catalog/interchange?source=passing")).body.pagination.total).toBe(2);
    expect((await admin("DELETE", "/catalog/interchange?source=passing")).body).toEqual({ deleted: 2 });
    expect((await admin("DELETE", "/catalog/interchange")).status).toBe(400);
    expect((await system.request("catalog", "GET", "/catalog/interchange")).status).toBe(401);
  });
});

describe("a kit", () => {
  it("shows its components, those that the catalog has with price and stock", async () => {
    const csv =
      "part_number,title,list_price,components\nZKIT-1,Tune-up Kit,50,ZKIT-2*2; HON: ZH-77 ;ZKIT-3\nZKIT-2,Plug,4,\n";
    expect((await upload("/catalog/import/hla", csv)).body).toMatchObject({ written: 2, refusedTotal: 0 });
    const kit = async () => (await system.request("catalog", "GET", "/parts/hla/zkit1")).body.kit;
    expect(await kit()).toEqual([
      {
        vendor: "HLA",
        partNumber: "ZKIT-2",
        quantity: 2,
        part: { id: "hla-zkit2", title: "Plug", status: "active", price: 4, availability: "unknown" },
      },
      { vendor: "HON", partNumber: "ZH-77", quantity: 1 },
      { vendor: "HLA", partNumber: "ZKIT-3", quantity: 1 },
    ]);
    const again = { part_number: "ZKIT-1", title: "Tune-up Kit", components: [{ partNumber: "ZKIT-2", quantity: 3 }] };
    await upload("/catalog/import/hla", `${JSON.stringify(again)}\n`, "application/x-ndjson");
    expect(await kit()).toEqual([expect.objectContaining({ partNumber: "ZKIT-2", quantity: 3 })]);
    // A file without the column leaves them.
    await upload("/catalog/import/hla", "part_number,title\nZKIT-1,Tune-up Kit 2\n");
    expect(await kit()).toHaveLength(1);
  });
});
