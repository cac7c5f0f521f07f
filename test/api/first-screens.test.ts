import { expect, test } from "@jest/globals";
import { startSystem } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() => startSystem({ mode: "embedded", fillsCatalog: true }));

test("on a fresh start the first screens show what the dealer has, and at its price", async () => {
  for (const query of ["limit=20", "limit=20&page=2", "q=carburetor", "q=belt", "q=spark%20plug"]) {
    const { parts } = (await system.request("search", "GET", `/api/search?${query}`)).body;
    const known = parts.filter(({ availability }: { availability: string }) => availability !== "unknown");
    expect([query, known.length / parts.length > 0.5]).toEqual([query, true]);
  }
  const {
    parts: [part],
  } = (await system.request("search", "GET", "/api/search?q=carburetor&minPrice=1&limit=1")).body;
  const { productId, partNumber, title, unitPrice } = part;
  const checkout = await system.request("payment", "POST", "/api/checkout/session", {
    body: { items: [{ productId, partNumber, title, unitPrice, quantity: 1 }] },
  });
  expect(checkout.status).toBe(200);
  // Nobody has searched yet but this test, of which only what was typed counts.
  expect(
    (await system.request("eventstore", "GET", "/events?event_type=SEARCH_PERFORMED&limit=1000")).body.events.length,
  ).toBeLessThanOrEqual(6);
});
