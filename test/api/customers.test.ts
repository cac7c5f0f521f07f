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

  it("are made once a user", async () => {
    const userId = `user_${ulid()}`;
    const token = await system.token("customer", { sub: userId });
    const details = { ...person(), phone: "+1 555 0100" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => request("POST", "", { token, body: details })));
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        success: true,
        data: {
          customerId: expect.any(String),
          userId,
          ...details,
          defaultPaymentMethodId: null,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
    }
    expect(new Set(answers.map(({ body }) => body.data.customerId)).size).toBe(1);
    const { customerId } = answers[0]!.body.data;
    // A checkout's `customerId` is the user's id.
    for (const id of [customerId, userId])
      expect(await request("GET", `/${id}`, { token })).toMatchObject({ status: 200, body: answers[0]!.body });
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
