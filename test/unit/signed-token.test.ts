import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { listMissingFields } from "@partline/toolkit/pure";
import { createSignedTokens } from "../../mixins/http/signed-token.ts";
import { testSettings } from "../support/test-settings.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let documents: DocumentStore;
beforeAll(async () => {
  documents = await openDocumentStore({ dataDir: testSettings().dataDir });
});
afterAll(() => documents.close());

test("a token is valid on every node for its time and purpose alone", async () => {
  let now = new Date("2026-11-24T12:00:00Z");
  const [first, second] = [createSignedTokens(documents, () => now), createSignedTokens(documents, () => now)];
  const token = await first.sign("quote", { cost: 999 }, 30 * MINUTE_MS);
  expect(await second.verify("quote", token)).toMatchObject({ cost: 999 });
  expect(await second.verify("order-link", token)).toBe("forged");
  // Another first letter of the signature: one in a thousand ends with any two that are given.
  const forged = token.replace(/(?<=\.)[^.](?=[^.]*$)/, (letter) => (letter === "A" ? "B" : "A"));
  expect(await second.verify("quote", forged)).toBe("forged");
  expect(await second.verify("quote", "no token")).toBe("forged");
  for (const kid of [{ $gt: "" }, ["2026Q4"], 5, null]) {
    const header = Buffer.from(JSON.stringify({ alg: "HS256", kid })).toString("base64url");
    expect(await second.verify("quote", [header, ...token.split(".").slice(1)].join("."))).toBe("forged");
  }
  now = new Date(now.getTime() + 31 * MINUTE_MS);
  expect(await second.verify("quote", token)).toBe("expired");
});

test("keys rotate with the quarter, and tokens of the one before stay valid", async () => {
  let now = new Date("2026-12-31T12:00:00Z");
  const tokens = createSignedTokens(documents, () => now);
  const before = await tokens.sign("order-link", { orderId: "ord_1" }, 90 * DAY_MS);
  now = new Date("2027-01-01T12:00:00Z");
  const after = await tokens.sign("order-link", { orderId: "ord_2" }, 90 * DAY_MS);
  const keyOf = (token: string): unknown => JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString());
  expect(keyOf(before)).not.toEqual(keyOf(after));
  expect(await tokens.verify("order-link", before)).toMatchObject({ orderId: "ord_1" });
});

test("an address is whole with what its country needs", () => {
  const whole = { name: "Ada", street: "1 Main St", city: "Reno", state: "NV", postalCode: "89501", country: "us" };
  expect(listMissingFields(whole)).toEqual([]);
  expect(listMissingFields({ ...whole, state: " ", country: "Utopia" })).toEqual(["state", "country"]);
  expect(listMissingFields({ ...whole, state: undefined, country: "DE" })).toEqual([]);
  // Most countries have no postal codes, or deliver without.
  for (const country of ["BW", "GY", "UG", "HK", "FJ", "AG", "IE"])
    expect(listMissingFields({ name: "Ada", street: "Plot 5", city: "Town", state: "X", country })).toEqual([]);
  for (const country of ["DE", "GB", "NL", "PR"])
    expect(listMissingFields({ ...whole, postalCode: "", country })).toEqual(["postalCode"]);
  expect(listMissingFields(undefined)).toEqual(["name", "street", "city", "state", "postalCode", "country"]);
});
