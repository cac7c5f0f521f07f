import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

const system = useSystem();
beforeAll(async () => {
  await importParts(
    system,
    "kni",
    "part_number,title,list_price,status,superseded_by,category\n" +
      "QZ-77.01,Quarnbrush Bristle,19.99,,,Brushes\nQZ-77.02,Quarnbrush Motor,250,,,Brushes\nQZ-76.01,Quarnbrush Bristle old,15,discontinued,QZ-77.01,Brushes\nQZ-77.03,Quarnbrush Frame,,,,Frames\nQZ-78.01,Quarnbolt,3,,,\n",
  );
});

const search = (query: string, entry: "search" | "gateway" = "search"): Promise<Answer> =>
  system.request(entry, "GET", `/api/search${query}`);
const numbers = ({ body }: Answer): string[] => body.parts.map(({ partNumber }: { partNumber: string }) => partNumber);

describe("GET /api/search", () => {
  it.each(["QZ-77.01", "qz7701", "qz 77 01", "KNI-QZ-77.01", "Knight%20qz7701", "CT-KNI-QZ-77.01", "QZ-76.01"])(
    "finds the part first that is typed as %s",
    async (typed) => {
      expect(numbers(await search(`?q=${typed}`, "gateway"))[0]).toBe("QZ-77.01");
    },
  );

  it("answers previews, pagination and facets, without an envelope", async () => {
    const { status, body } = await search("?q=quarnbrush+bristle");
    expect(status).toBe(200);
    expect(body).toEqual({
      parts: [
        {
          id: "kni-qz7701",
          productId: "kni-qz7701",
          slug: "quarnbrush-bristle-kni-qz7701",
          sku: "CT-KNI-QZ-77.01",
          partNumber: "QZ-77.01",
          title: "Quarnbrush Bristle",
          manufacturer: { name: "Knight", code: "KNI" },
          category: "Brushes",
          price: 19.99,
          unitPrice: 19.99,
          currency: "usd",
          imageUrl: null,
          availability: "unknown",
          status: "active",
          supersededBy: null,
          highlights: { title: "<em>Quarnbrush</em> <em>Bristle</em>" },
        },
      ],
      pagination: { page: 1, pageSize: 20, total: 1, totalPages: 1 },
      facets: {
        manufacturer: [{ value: "KNI", label: "Knight", count: 1 }],
        availability: [{ value: "unknown", label: "Not known", count: 1 }],
        category: [{ value: "Brushes", label: "Brushes", count: 1 }],
        price: { min: 19.99, max: 19.99, ranges: expect.arrayContaining([{ from: 10, to: 24.99, count: 1 }]) },
      },
    });
  });

  it("offers the parts whose number is a slip away, and finds the one that looks alike", async () => {
    const findNear = async (q: string) => {
      const { body } = await search(`?q=${encodeURIComponent(q)}`);
      return {
        found: numbers({ body } as Answer),
        near: (body.didYouMean ?? []).map((part: { id: string }) => part.id),
      };
    };
    expect(await findNear("QZ-77.0")).toMatchObject({ near: [] });
    expect(await findNear("Knight QZ-77.05")).toEqual({ found: [], near: ["kni-qz7701", "kni-qz7702", "kni-qz7703"] });
    expect(await findNear("QZ-87.01")).toEqual({ found: [], near: ["kni-qz7801", "kni-qz7701"] });
    expect(await findNear("QZ-78.001")).toEqual({ found: [], near: ["kni-qz7801"] });
    expect(await findNear("QZ-77.02 QZ-78.0")).toEqual({ found: ["QZ-77.02"], near: ["kni-qz7801"] });
    expect(await findNear("0Z-77.O2")).toEqual({ found: ["QZ-77.02"], near: [] });
    expect((await search("?q=0Z-77.O2")).body.relaxedTo).toBe("QZ-77.02");
    expect(await findNear("QZ-77.05 quarnbrush bristle")).toEqual({ found: ["QZ-77.01"], near: [] });
    expect(await findNear("Knight QZ-78.02 brush")).toMatchObject({ found: [] });
  });

  it("finds and counts parts by the machines that their descriptions name", async () => {
    await importParts(
      system,
      "kni",
      "part_number,title,description,list_price,category\n" +
        "QF-10.01,Zwirlbelt,Strong. Fits Zwirl 40 HP and Zwirl 60 HP.,5,Belts\nQF-10.02,Zwirlbelt,Fits Zwirl 60 HP.,6,Belts\n",
    );
    await eventually(async () => numbers(await search("?q=zwirlbelt")).length === 2);
    const { body } = await search("?q=zwirlbelt");
    expect(body.facets.machine.map(({ value, count }: { value: string; count: number }) => [value, count])).toEqual([
      ["Zwirl 60 HP", 2],
      ["Zwirl 40 HP", 1],
    ]);
    expect(body.parts[0].fits).toEqual(["Zwirl 40 HP", "Zwirl 60 HP"]);
    await eventually(async () => numbers(await search("?machine=zwirl%2040hp")).join() === "QF-10.01");
    expect(numbers(await search("?q=zwirlbelt&machine=Zwirl+60+HP"))).toHaveLength(2);
    expect(numbers(await search("?q=zwirlbelt&machine=Zwirl+50+HP"))).toEqual([]);
  });

  it("shows the price that the catalog charges", async () => {
    const { body } = await search("?q=carburetor&limit=20");
    for (const part of body.parts) {
      const { body: listed } = await system.request(
        "catalog",
        "GET",
        `/parts/${part.manufacturer.code}?q=${encodeURIComponent(part.partNumber)}`,
      );
      expect(listed.parts[0].price?.list.value ?? null).toBe(part.unitPrice);
    }
  });
});

describe("GET /api/filters", () => {
  it("counts what a search finds", async () => {
    const { status, body } = await system.request("gateway", "GET", "/api/filters?q=quarnbrush&category=brushes");
    expect(status).toBe(200);
    expect(body.total).toBe(2);
    expect(body.facets.category).toEqual([
      { value: "Brushes", label: "Brushes", count: 2 },
      { value: "Frames", label: "Frames", count: 1 },
    ]);
  });

  it("counts parts without a category under the specification's `parts`, which filters them", async () => {
    const { body } = await system.request("search", "GET", "/api/filters?q=quarnbolt");
    expect(body.facets.category).toEqual([{ value: "parts", label: "Other parts", count: 1 }]);
    expect(numbers(await search("?q=quarnbolt&category=parts"))).toEqual(["QZ-78.01"]);
  });
});
