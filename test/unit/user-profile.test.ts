import { expect, test } from "@jest/globals";
import type { TokenUser } from "../../broker/contract/context.ts";
import type { UserRecord } from "../../services/user/collections.ts";
import { toBearerView, toUserView, applyChanges } from "../../services/user/users.ts";

const then = new Date("2026-01-01T00:00:00Z");
const now = new Date("2026-06-01T12:00:00Z");
const bearer: TokenUser = {
  sub: "user_1",
  email: "token@shop.example",
  role: "customer",
  aud: "api",
  azp: "https://shop.example",
};
const record: UserRecord = {
  _id: "user_1",
  version: 4,
  email: "ada@shop.example",
  role: "customer",
  identityName: "Ada Mechanic",
  identityPhone: "+15550100",
  addresses: [{ city: "Springfield" }],
  createdAt: then,
  updatedAt: then,
};

test("what is left out of a change stays, and a list of addresses is replaced as a whole", () => {
  const changed = applyChanges(record, { phone: "+1 555 0199" }, now);
  expect(changed).toMatchObject({ addresses: [{ city: "Springfield" }], version: 5 });
  const machines = [{ model: "kohler-ch-740s", name: "Kohler CH-740S" }];
  expect(toUserView(applyChanges(applyChanges(record, { machines }, now), { phone: null }, now))).toMatchObject({
    machines,
    addresses: [{ city: "Springfield" }],
  });
  expect(applyChanges(changed, { addresses: [] }, now)).toMatchObject({
    addresses: [],
    phone: "+1 555 0199",
    version: 6,
  });
});

test("the token's role counts for its bearer, the record's for everybody else", () => {
  expect(toBearerView({ ...bearer, role: "admin" }, record)).toMatchObject({
    role: "admin",
    email: "ada@shop.example",
  });
  expect(toUserView(record)).toMatchObject({ role: "customer" });
});
