import { describe, expect, it } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { ulid } from "ulid";
import type { ChannelEvent } from "../../packages/durable/src/channels/port.ts";
import type { Caller } from "../../broker/contract/context.ts";
import { call } from "../../services/contracts.ts";
import { IDENTITY_EVENTS, USERS } from "../../services/user/collections.ts";
import { consumerService } from "../support/consumer-service.ts";
import { eventually } from "../support/eventually.ts";
import { clerkEvent, clerkUser, svixHeaders, type ClerkFields } from "../support/identity-events.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { useStarted } from "../support/use-started.ts";

const newId = (): string => `user_${ulid()}`;
const bearer = (sub: string, over: object = {}): Caller => ({
  user: { sub, email: "token@shop.example", role: "customer", aud: "api", azp: "https://shop.example", ...over },
  admin: false,
});
const admin: Caller = { admin: true };

/** Stands for the services that erase what they keep of a deleted user. */
function erasingService(erased: string[]): () => ServiceSchema {
  const handler = ({ payload }: ChannelEvent) => Promise.resolve(void erased.push(String(payload["userId"])));
  return consumerService("erasing", { "user.deleted": { group: "test", handler } });
}

describe("The user service", () => {
  const test = useStarted(() =>
    startTestBroker({ services: ["user", "user", erasingService(erased)], transport: "fake" }),
  );
  const erased: string[] = [];

  const deliver = async (type: string, data: object, id?: string) => {
    const body = clerkEvent(type, data);
    const headers = svixHeaders(test.settings.identity.webhookSecret, body, { id });
    return (await call(test.broker, "user.receiveIdentityEvent", { body, headers })).outcome;
  };
  const tell = (type: "user.created" | "user.updated", fields: ClerkFields, id?: string) =>
    deliver(type, clerkUser(fields), id);
  const remove = (userId: string, id?: string) =>
    deliver("user.deleted", { id: userId, object: "user", deleted: true }, id);
  const get = (id: string) => call(test.as(admin), "user.get", { id });
  const missing = { code: "NOT_FOUND" };

  describe("a profile", () => {
    it("is made from the token until the webhook has come, and kept from the first change on", async () => {
      const sub = newId();
      const me = test.as(bearer(sub));
      expect(await call(me, "user.me", {})).toEqual({
        userId: sub,
        email: "token@shop.example",
        name: null,
        phone: null,
        role: "customer",
        addresses: [],
        machines: [],
        createdAt: null,
        updatedAt: null,
      });
      await expect(get(sub)).rejects.toMatchObject(missing);
      const changed = await call(me, "user.updateMe", {
        phone: "+1 555 0100",
        addresses: [{ street: "1 Mill Rd", city: "Springfield", country: "US" }],
      });
      expect(changed).toMatchObject({ userId: sub, phone: "+1 555 0100", createdAt: expect.any(Date) });
      expect(await call(me, "user.me", {})).toEqual(changed);
      expect(await get(sub)).toEqual(changed);
    });

    it("loses none of many changes at the same moment", async () => {
      const sub = newId();
      const changes = [
        { name: "Ada" },
        { phone: "+1 555 0100" },
        { addresses: [{ street: "1 Mill Rd", city: "Springfield", country: "US" }] },
      ];
      await Promise.all(changes.map((change) => call(test.as(bearer(sub)), "user.updateMe", change)));
      expect(await get(sub)).toMatchObject(Object.assign({}, ...changes) as object);
    });

    it("changes no field that is the identity provider's, and refuses an unknown one", async () => {
      for (const field of ["email", "role", "userId", "createdAt"]) {
        const caller = test.as(bearer(newId()));
        const { [field]: before } = (await call(caller, "user.updateMe", { name: "Ada" })) as Record<string, unknown>;
        const after = await call(caller, "user.updateMe", { name: "Ada", [field]: "admin" });
        expect(after).toMatchObject({ name: "Ada", [field]: before });
      }
      const unknown = { name: "Ada", isAdmin: true };
      await expect(call(test.as(bearer(newId())), "user.updateMe", unknown)).rejects.toMatchObject({
        type: "VALIDATION_ERROR",
      });
    });

    it("of nobody is refused", async () => {
      await expect(call(test.as(admin), "user.me", {})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    });
  });

  describe("for an admin", () => {
    it("a user is read and changed by id; an unknown one is not made", async () => {
      const id = newId();
      await tell("user.created", { id });
      expect(await call(test.as(admin), "user.update", { id, name: "Ada M." })).toMatchObject({
        userId: id,
        name: "Ada M.",
      });
      expect(await call(test.as(admin), "user.update", { id, name: null })).toMatchObject({ name: "Ada Mechanic" });
      await expect(call(test.as(admin), "user.update", { id: "user_unknown", name: "Eve" })).rejects.toMatchObject(
        missing,
      );
      await expect(get("no such id ☃")).rejects.toMatchObject({ ...missing, message: "User not found" });
    });

    it("lists are newest first, by pages, and found by part of a name, address or id", async () => {
      const mark = ulid().toLowerCase();
      const ids = Array.from({ length: 5 }, newId);
      for (const [index, id] of ids.entries()) {
        await tell("user.created", {
          id,
          email: `${mark}+${index}@shop.example`,
          lastName: `${mark}.(${index})`,
          createdAt: 1_000 * index,
        });
      }
      const list = (params: object) => call(test.as(admin), "user.list", { page: 1, pageSize: 2, ...params });
      const first = await list({ q: mark.toUpperCase() });
      expect(first.pagination).toEqual({ page: 1, pageSize: 2, total: 5, totalPages: 3 });
      expect(first.users.map((user) => user.userId)).toEqual([ids[4], ids[3]]);
      expect((await list({ q: mark, page: 3 })).users.map((user) => user.userId)).toEqual([ids[0]]);
      expect((await list({ q: `${mark}.(3)` })).users.map((user) => user.userId)).toEqual([ids[3]]);
      expect((await list({ q: ids[2]! })).users.map((user) => user.userId)).toEqual([ids[2]]);
      expect((await list({ q: `${mark}.*` })).users).toEqual([]);
      await remove(ids[4]!);
      expect((await list({ q: mark })).pagination.total).toBe(4);
    });
  });

  describe("the identity provider's webhook", () => {
    it("takes effect once by its id, on any node and however often", async () => {
      const id = newId();
      const svixId = `msg_${ulid()}`;
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => tell("user.created", { id }, svixId)));
      expect(outcomes.toSorted()).toEqual(["applied", ...Array.from({ length: 9 }, () => "duplicate")]);
      expect(
        await test.documents.collection<{ _id: string; version: number }>(USERS).findOne({ _id: id }),
      ).toMatchObject({ version: 1 });
    });

    it("lets the newest of many updates at the same moment stand", async () => {
      const id = newId();
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          tell("user.updated", { id, email: `${index}@shop.example`, updatedAt: 1_000 + index }),
        ),
      );
      expect(await get(id)).toMatchObject({ email: "11@shop.example" });
    });

    it("removes a deleted user's data for good and says so once", async () => {
      const id = newId();
      await tell("user.created", { id, phone: "+15550100" });
      await call(test.as(bearer(id)), "user.updateMe", {
        name: "Ada",
        addresses: [{ street: "1 Mill Rd", city: "Springfield", country: "US" }],
      });
      expect(await Promise.all([remove(id), remove(id), remove(id)])).toEqual(
        expect.arrayContaining(["applied", "outdated", "outdated"]),
      );
      expect(await tell("user.updated", { id, updatedAt: 9_000_000_000_000 })).toBe("outdated");
      expect(await tell("user.created", { id })).toBe("outdated");

      expect(await test.documents.collection(USERS).findOne({ _id: id })).toEqual({
        _id: id,
        version: 3,
        deletedAt: expect.any(Date),
      });
      await expect(get(id)).rejects.toMatchObject(missing);
      await expect(call(test.as(bearer(id)), "user.me", {})).rejects.toMatchObject(missing);
      await expect(call(test.as(bearer(id)), "user.updateMe", { name: "Ada" })).rejects.toMatchObject(missing);

      const last = newId();
      await remove(last);
      await eventually(() => erased.includes(last) && erased.includes(id));
      expect(erased.filter((userId) => userId === id)).toEqual([id]);
    });

    it("keeps nothing personal about what was received", async () => {
      const svixId = `msg_${ulid()}`;
      const id = newId();
      await tell("user.created", { id }, svixId);
      expect(await test.documents.collection(IDENTITY_EVENTS).findOne({ _id: svixId })).toEqual({
        _id: svixId,
        type: "user.created",
        userId: id,
        expiresAt: expect.any(Date),
      });
    });
  });
});
