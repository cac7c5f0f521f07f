import { Readable } from "node:stream";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { afterEach, describe, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

/** Tells the parts of one equipment, as the AI service does. */
const manuals = (): ((broker: ServiceBroker) => ServiceSchema) => () => ({
  name: "ai",
  actions: {
    partsOf: ({ params: { model } }: { params: { model: string } }) => ({
      partKeys: model === "GT-2254" ? [{ pnNorm: "100" }, { pnNorm: "300", vendor: "HON" }] : [],
    }),
    fitmentOf: ({ params }: { params: { pnNorm: string; vendor: string } }) => ({
      fitment: [
        {
          equipment: "GT-2254",
          schema: `${params.vendor} ${params.pnNorm}`,
          quantity: 2,
          pdf_link: "http://127.0.0.1/a.pdf#page=1",
        },
      ],
    }),
  },
});

describe("A search for the parts of an equipment", () => {
  let test: TestBroker;
  afterEach(() => test.stop());
  const start = async (services: Parameters<typeof startTestBroker>[0]["services"]): Promise<void> => {
    test = await startTestBroker({ services: ["catalog", "search", "eventstore", ...services], transport: "fake" });
    const file = "part_number,title,list_price\n100,Carburetor,10\n200,Carburetor Kit,20\n300,Carburetor Bowl,30\n";
    await call(
      test.broker,
      "catalog.import",
      { vendor: "BNS", contentType: "text/csv" },
      {
        stream: Readable.from([Buffer.from(file)]),
      },
    );
    await call(test.broker, "search.refresh", {});
  };
  const ids = async (params: { q?: string; equipment?: string }): Promise<string[]> =>
    (await call(test.broker, "search.search", params)).parts.map(({ id }) => id);

  it("finds these alone, of their vendor where that is known, and leaves its event with the equipment", async () => {
    await start([manuals()]);
    expect(await ids({ q: "carburetor", equipment: "GT-2254" })).toEqual(["bns-100"]);
    expect(await ids({ q: "carburetor", equipment: "other" })).toEqual([]);
    expect(await ids({ q: "carburetor", equipment: " " })).toHaveLength(3);
    expect((await call(test.broker, "search.filters", { equipment: "GT-2254" })).total).toBe(1);
    const { data } = await eventually(
      async () => (await call(test.broker, "eventstore.list", { event_type: "SEARCH_PERFORMED" })).events[0],
    );
    expect(data).toMatchObject({ query: "carburetor", filters: { equipment: "GT-2254" } });
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).toMatchObject({
      fitment: [{ equipment: "GT-2254", schema: "BNS 100", quantity: 2 }],
    });
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).not.toHaveProperty("missing");
  });

  it("is refused where nobody knows them, and a part says that what it fits is missing", async () => {
    await start([]);
    await expect(ids({ q: "carburetor", equipment: "GT-2254" })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await ids({ q: "carburetor" })).toHaveLength(3);
    expect(await call(test.broker, "search.aiPart", { id: "bns-100" })).toMatchObject({
      fitment: [],
      missing: ["fitment"],
    });
  });
});
