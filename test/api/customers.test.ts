import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { useSystem } from "../support/use-started.ts";
import type { RequestOptions } from "../support/system.ts";

const system = useSystem();

const person = () => ({ email: `${ulid().toLowerCase()}@example.com`, name: "Ada Lovelace" });
const newToken = () => system.token("customer", { sub: `user_${ulid()}` });

describe("Customers", () => {
  const request = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, options?: RequestOptions) =>
    system.request("gateway", method, `/api/customers${path}`, options);

  it("are read by their id and by the user's, which a checkout calls `customerId`, by that user alone", async () => {
    const userId = `user_${ulid()}`;
    const token = await system.token("customer", { sub: userId });
    const created = await request("POST", "", { token, body: person() });
    expect(created).toMatchObject({
      status: 201,
      body: { success: true, data: { userId, defaultPaymentMethodId: null } },
    });
    for (const id of [created.body.data.customerId, userId])
      expect(await request("GET", `/${id}`, { token })).toMatchObject({ status: 200, body: created.body });
    expect(await request("GET", `/${userId}`, { token: await newToken() })).toMatchObject({ status: 403 });
  });

  it("need nothing that the token says, and can be sent back", async () => {
    const token = await newToken();
    const made = await request("POST", "", { token, body: {} });
    expect(made).toMatchObject({ status: 201, body: { data: { email: expect.stringContaining("@"), name: null } } });
    expect((await request("POST", "", { token, body: made.body.data })).body).toEqual(made.body);
    expect(await request("POST", "", { token, body: { userId: "user_other" } })).toMatchObject({ status: 403 });
  });
});
