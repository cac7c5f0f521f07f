import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { catalogParts, DEALER, startTestDealer, type TestDealer } from "../support/dealer-sandbox.ts";

interface Row {
  ManufacturerCode: string;
  PartNumber: string;
  Price: number;
  Available: boolean;
  QtyOnHand: number;
}

let dealer: TestDealer;
beforeAll(async () => void (dealer = await startTestDealer()));
afterEach(() => dealer.allWell());
afterAll(() => dealer.close());

const post = async (body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${dealer.url}/report-api/api/partsStore/partsInquiry`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": DEALER.apiKey, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const ask = (parts: [code: string, number: string][], headers = {}) =>
  post(
    {
      DealerId: DEALER.dealerId,
      Parts: parts.map(([ManufacturerCode, PartNumber]) => ({ ManufacturerCode, PartNumber })),
    },
    headers,
  );
const rows = async (parts: [code: string, number: string][]) =>
  (JSON.parse((await ask(parts)).text) as { Parts: Row[] }).Parts;
const some = (vendor: string, code = vendor) =>
  catalogParts(vendor)
    .slice(0, 3)
    .map(({ partNumber }): [string, string] => [code, partNumber]);

describe("the dealer inventory sandbox", () => {
  it("answers nobody without the key and the dealer id, nor an inquiry that is none", async () => {
    const [known] = some("HON");
    expect((await ask([known!], { "x-api-key": "wrong" })).status).toBe(401);
    expect((await post({ DealerId: "somebody", Parts: [{ ManufacturerCode: "HON", PartNumber: "1" }] })).status).toBe(
      403,
    );
    for (const body of [
      null,
      [],
      {},
      { DealerId: DEALER.dealerId },
      { DealerId: DEALER.dealerId, Parts: [] },
      { DealerId: DEALER.dealerId, Parts: [null] },
    ]) {
      expect((await post(body)).status).toBe(400);
    }
    expect((await ask(Array.from({ length: 51 }, () => known!))).status).toBe(400);
  });

  it("says too little, too much and nonsense as often as it is asked to", async () => {
    const parts = some("HON");
    const well = await rows(parts);
    await dealer.fault("missing", 2, 1);
    expect(await rows(parts)).toEqual(well.slice(2));
    await dealer.fault("repeated", 1, 1);
    expect(await rows(parts)).toEqual([...well, well[0]]);
    await dealer.fault("contradicted", 1, 1);
    expect(await rows(parts)).toEqual([...well, { ...well[0], Price: well[0]!.Price + 1 }]);
    await dealer.fault("malformed", 1, 1);
    expect((await rows(parts))[0]).toEqual({ ...well[0], Price: -1 });
    await dealer.fault("reversed", undefined, 1);
    expect(await rows(parts)).toEqual([...well].reverse());
    expect(await rows(parts)).toEqual(well);
  });

  it("shows its bad day on its page, and takes the page's own forms alone", async () => {
    await dealer.fault("error", 503);
    await ask(some("HON"));
    const page = await (await fetch(dealer.url)).text();
    expect(page).toContain("<code>error</code> 503, for ever");
    expect(page).toContain("<td>503</td><td>0 of 3 parts</td>");
    const form = (site: string, path = "add") =>
      fetch(`${dealer.url}/sandbox/form/${path}`, {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": site },
        body: new URLSearchParams({ kind: "slow", value: "5", times: "" }),
      });
    expect((await form("cross-site")).status).toBe(403);
    expect((await form("same-origin")).status).toBe(303);
    expect(await (await fetch(`${dealer.url}/sandbox/faults`)).json()).toEqual({
      faults: [
        { kind: "error", value: 503, times: null },
        { kind: "slow", value: 5, times: null },
      ],
    });
    expect((await form("same-origin", "clear")).status).toBe(303);
    expect(await (await fetch(`${dealer.url}/sandbox/faults`)).json()).toEqual({ faults: [] });
    await expect(dealer.fault("boring" as "error")).rejects.toThrow("kind must be one of");
    expect(await (await fetch(`${dealer.url}/sandbox/faults`, { method: "POST", body: "{}" })).json()).toEqual({
      error: "Send application/json.",
    });
  });
});
