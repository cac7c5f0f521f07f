import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { slugOf } from "../../services/catalog/part-number.ts";
import { eventually } from "../support/eventually.ts";

const file = (name: string): string => readFileSync(new URL(`../../web/parts/${name}`, import.meta.url), "utf8");
const html = file("part.html");
const script = new vm.Script(file("part.js"));

type Answer = { ok: boolean; status: number; json?: () => Promise<unknown> };

/** Runs the page's script at this address, on the ids that the page has. */
function visit(pathname: string, answer: Answer | undefined) {
  const elements = new Map(
    [...html.matchAll(/id="(\w+)"/g)].map(([, id]) => [id!, { textContent: "", hidden: id === "part" }]),
  );
  const asked: string[] = [];
  script.runInNewContext({
    document: { title: "", getElementById: (id: string) => elements.get(id) },
    location: { pathname },
    fetch: (path: string) => {
      asked.push(path);
      return answer ? Promise.resolve(answer) : Promise.reject(new TypeError("fetch failed"));
    },
  });
  return { text: (id: string) => elements.get(id)!.textContent, shown: () => !elements.get("part")!.hidden, asked };
}

const slug = slugOf("Shear Bolt, 1/4-20", "bns-598540s");
const part = {
  slug,
  partNumber: "598540S",
  title: "Shear Bolt, 1/4-20",
  manufacturer: { name: "Briggs", code: "BNS" },
  price: 9.95,
  currency: "usd",
  availability: "in_stock",
  supersededBy: null,
};
const found = (more: object = {}): Answer => ({
  ok: true,
  status: 200,
  json: () => Promise.resolve({ part: { ...part, ...more } }),
});

test("a store link's page shows the part that its slug names", async () => {
  const page = visit(`/parts/${encodeURIComponent(slug)}`, found());
  await eventually(page.shown);
  expect(page.asked).toEqual(["/api/ai/parts/bns-598540s"]);
  expect(["heading", "state", "number", "manufacturer", "availability"].map(page.text)).toEqual([
    part.title,
    "",
    "598540S",
    "Briggs",
    "in stock",
  ]);
  expect(page.text("price")).toContain("9.95");
  const replaced = visit(`/parts/${slug}`, found({ price: null, supersededBy: "697.1" }));
  await eventually(replaced.shown);
  expect([replaced.text("state"), replaced.text("price")]).toEqual(["It is replaced by 697.1.", "not known"]);
});

test("an address that no part has is told as that, and is not asked for where it names none", async () => {
  for (const answer of [found({ slug: "another-bns-598540s" }), { ok: false, status: 404 }]) {
    const page = visit(`/parts/${slug}`, answer);
    await eventually(() => page.text("heading") === "No such part");
    expect(page.shown()).toBe(false);
  }
  for (const path of ["/parts/shear-bolt", "/parts/%", "/parts/bolt-%ff-bns-598540s"]) {
    const page = visit(path, found());
    expect([path, page.text("heading"), page.asked]).toEqual([path, "No such part", []]);
  }
});

test.each([undefined, { ok: false, status: 503 }])("a catalog that does not answer is told as that", async (answer) => {
  const page = visit(`/parts/${slug}`, answer);
  await eventually(() => /does not answer/.test(page.text("state")));
  expect(page.shown()).toBe(false);
});
