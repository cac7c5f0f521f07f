import { expect, it } from "@jest/globals";
import { createEditing } from "../../services/catalog/editing.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { useStores } from "./catalog.support.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");
const UNKNOWN = "0".repeat(64);
const openStore = useStores("edits");

async function open() {
  const documents = await openStore();
  const openEditing = () => {
    const [reader, writer] = [createPartReader(documents), createPartWriter(documents)];
    const countHeld = () => Promise.resolve(new Map<string, number>());
    return {
      reader,
      writer,
      editing: createEditing({
        ...{ reader, writer, countHeld },
        toImageUrl: (id) => `http://shop.test/media/${id}`,
        findImages: (ids) => Promise.resolve(ids.filter((id) => id !== UNKNOWN)),
      }),
    };
  };
  const importBelt = (price: number) =>
    openEditing().writer.write(BNS, [{ partNumber: "B-1", title: `Belt at ${price}`, price }], "price_file");
  return { ...openEditing(), openEditing, importBelt, documents };
}

it("loses neither an import nor an edit of the same part at the same time; of two clerks the later is refused", async () => {
  const { openEditing, importBelt } = await open();
  await importBelt(100);
  const edit = (description: string, version?: number) =>
    openEditing().editing.changePart({ id: "bns-b1", description, ...(version === undefined ? {} : { version }) });
  await Promise.all([importBelt(200), edit("Long"), importBelt(200), importBelt(200), edit("Longer")]);
  await edit("Last");
  // A repeat, of whose first answer the clerk heard nothing.
  await edit("Last", 1);
  const seen = await openEditing().editing.read("bns-b1");
  expect(seen).toMatchObject({
    title: "Belt at 200",
    description: "Last",
    price: { list: { value: 2 } },
    version: 3,
    edits: { description: { value: "Last", source: null } },
  });
  await importBelt(300);
  const clerks = await Promise.allSettled([edit("One", 3), edit("Two", 3)]);
  expect(clerks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(clerks.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "VERSION_CONFLICT" } });
});

it("hides parts from public readers, page by page too, and lists all vendors' by number or words", async () => {
  const { editing, writer, reader, documents } = await open();
  const KOH = DEFAULT_VENDORS.getByCode("KOH");
  const belts = ["1", "2", "3"].map((number) => ({ partNumber: `B-${number}`, title: `Deck belt, size ${number}` }));
  await writer.write(BNS, belts, "price_file");
  await writer.write(KOH, belts, "price_file");
  await editing.changePart({ id: "bns-b2", hidden: true });
  await editing.changePart({ id: "bns-b2", hidden: true });
  await writer.write(BNS, [{ partNumber: "B-2", title: "Deck belt, size 2, new" }], "price_file");

  const publicReader = createPartReader(documents, DEFAULT_VENDORS, { isPublic: true });
  const listPublic = async (q: string) =>
    (await publicReader.page([BNS, KOH], { page: 1, pageSize: 9, q })).parts.map(({ _id }) => _id);
  expect(await listPublic("size belt")).toEqual(["bns-b1", "bns-b3", "koh-b1", "koh-b2", "koh-b3"]);
  expect(await listPublic("b2")).toEqual(["koh-b2"]);
  expect(await publicReader.findByIds(BNS, ["bns-b2"])).toEqual([]);
  expect(await reader.findByIds(BNS, ["bns-b2"])).toHaveLength(1);

  const pages = await Promise.all(
    [1, 2, 3].map((page) => editing.list([BNS, KOH], { page, pageSize: 2, q: "BELT deck" })),
  );
  expect(pages.map(({ parts }) => parts.map(({ id, hidden }) => `${id}${hidden ? " hidden" : ""}`))).toEqual([
    ["bns-b1", "bns-b2 hidden"],
    ["bns-b3", "koh-b1"],
    ["koh-b2", "koh-b3"],
  ]);
  expect(pages[0]!.pagination).toMatchObject({ total: 6, totalPages: 3 });
  const byIds = await editing.listByIds(["koh-b1", "bns-gone", "bns-b2"], { page: 1, pageSize: 9 });
  expect(byIds.parts.map(({ id, shelf }) => [id, shelf])).toEqual([
    ["koh-b1", ""],
    ["bns-b2", ""],
  ]);

  await editing.changePart({ id: "bns-b2", hidden: null });
  expect(await listPublic("b2")).toEqual(["bns-b2", "koh-b2"]);
});

it("adds a part once for a request, also if the part was imported and edited since", async () => {
  const { editing, importBelt } = await open();
  const part = { partNumber: "B-1", title: "Belt" };
  await editing.addPart("run-1", BNS, part);
  await importBelt(100);
  await editing.changePart({ id: "bns-b1", description: "Long" });
  expect(await editing.addPart("run-1", BNS, part)).toMatchObject({ id: "bns-b1", title: "Belt", version: 2 });
  await expect(editing.addPart("run-2", BNS, part)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

it("keeps the order of attributes that an edit changes", async () => {
  const { editing, importBelt } = await open();
  await importBelt(100);
  const edit = (attributes: Record<string, string>) => editing.changePart({ id: "bns-b1", attributes });
  await edit({ Length: "84 in", Width: "5/8 in" });
  const { version, attributes } = await edit({ Width: "5/8 in", Length: "84 in" });
  expect([version, Object.keys(attributes ?? {})]).toEqual([2, ["Width", "Length"]]);
});

it("takes images that are stored or have an https address, and what it answered itself", async () => {
  const { editing, importBelt } = await open();
  await importBelt(100);
  const edit = (...images: string[]) => editing.changePart({ id: "bns-b1", images });
  for (const wrong of [UNKNOWN, "http://x.test/a.png", "https://u:p@x.test/a.png", "https://x.test/a'b<c.png"])
    await expect(edit("https://x.test/a.png", wrong)).rejects.toMatchObject({ data: [{ field: "images[1]" }] });
  const { edits } = await edit("f".repeat(64), "https://x.test/a.png");
  expect(await edit(...edits.images!.value)).toMatchObject({ version: 1 });
});
