import { describe, expect, it } from "@jest/globals";
import type { AtomicWrite, DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { getPartsCollection, VENDOR_STATES, type VendorState } from "../../services/catalog/collections.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { SYNCS } from "../../services/catalog/syncs/records.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { useStores } from "./catalog.support.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");

describe("the number of a vendor's parts", () => {
  const open = useStores("counts");
  const news = (from: number, length: number) =>
    Array.from({ length }, (_, index) => ({ partNumber: `P-${from + index}`, title: `Part ${from + index}` }));
  const told = async (documents: DocumentStore) =>
    (await createPartReader(documents).countByVendor()).find(({ vendor }) => vendor === "BNS")?.parts;
  const counted = (documents: DocumentStore) => documents.collection(getPartsCollection("BNS")).count({});

  it("is exact when writers race, known parts are written again, and writes fail as a whole", async () => {
    const documents = await open();
    const lost: AtomicWrite = {
      collection: SYNCS,
      require: true,
      updateOne: { filter: { _id: "nobody's" }, update: { $set: { holder: "me" } } },
    };
    const writers = [createPartWriter(documents), createPartWriter(documents), createPartWriter(documents)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, turn) =>
        writers[turn % 3]!.write(BNS, news(turn * 3, 7), "price_file", turn % 4 === 3 ? () => [lost] : undefined),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(6);
    const parts = await counted(documents);
    expect(parts).toBeGreaterThan(50);
    const changes = await createPartReader(documents).listChanges(BNS, { after: 0, limit: 5_000, tires: false });
    expect(changes.map(({ revision }) => revision)).toEqual(Array.from({ length: parts }, (_, index) => index + 1));
    expect(await told(documents)).toBe(parts);
    const [known] = await documents.collection(getPartsCollection("BNS")).find({}, { limit: 1 });
    await writers[0]!.unlist(BNS, [known!._id]);
    await writers[0]!.observe(
      BNS,
      new Map([
        [known!._id, { found: true, price: 5, quantity: 1, available: true, saidAt: new Date() }],
        ["bns-none", { found: true, price: 5, quantity: 1, available: true, saidAt: new Date() }],
      ]),
    );
    expect(await told(documents)).toBe(parts);
  });

  it("is found by counting for a catalog that was filled before it was kept, and kept from the next write on", async () => {
    const documents = await open();
    const writer = createPartWriter(documents);
    const states = documents.collection<VendorState>(VENDOR_STATES);
    await writer.write(BNS, news(0, 5), "price_file");
    await states.updateOne({ _id: "BNS" }, { $unset: { parts: "" } });
    expect(await told(documents)).toBe(5);
    await writer.write(BNS, news(3, 4), "price_file");
    expect(await states.findOne({ _id: "BNS" })).toMatchObject({ parts: 7 });
    expect(await told(documents)).toBe(7);
  });

  it("is not counted again for every question", async () => {
    const documents = await open();
    await createPartWriter(documents).write(BNS, news(0, 3), "price_file");
    await documents.collection(getPartsCollection("BNS")).deleteMany({});
    expect(await told(documents)).toBe(3);
  });
});
