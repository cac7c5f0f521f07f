import { afterEach, describe, expect, test } from "@jest/globals";
import { mergePatch } from "@partline/toolkit/pure";
import { shopDays, setShopTimeZone } from "../../mixins/shop/shop-days.ts";
import { call } from "../../services/contracts.ts";
import { createSettingsFollower } from "../../services/settings/following.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

describe("the shop's settings", () => {
  const system = useStarted(() =>
    startTestBroker({
      transport: "fake",
      settings: testSettings({
        ...{ ...mongoSetting("settings"), SHOP_ADDRESS: "1 Main St|Reno" },
        SHOP_SETTINGS: JSON.stringify({ taxIds: ["EIN 12-3456789"], address: ["nowhere"] }),
      }),
      services: ["settings", (broker) => createSettingsFollower(broker).schema],
    }),
  );
  const change = (changes: object) => call(system.broker, "settings.change", changes);
  afterEach(() => setShopTimeZone("UTC"));

  test("are in force on another node at once, its days too, and the environment's stay", async () => {
    const { version } = await change({ shopName: "Reno Parts", timeZone: "America/Los_Angeles", phone: "+1 775 555" });
    await eventually(() => system.settings.shop.shopName === "Reno Parts");
    expect(system.settings.shop).toMatchObject({ phone: "+1 775 555", address: ["1 Main St", "Reno"] });
    expect(shopDays().findDay(new Date("2026-11-21T03:00:00Z"))).toBe("2026-11-20");
    const answer = await call(system.broker, "settings.get", {});
    expect(answer).toMatchObject({ version, pinned: ["taxIds", "address"], shopName: "Reno Parts" });
    expect(system.settings.shop.taxIds).toEqual(["EIN 12-3456789"]);
    await expect(change({ taxIds: [] })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("are in force within five seconds on a node that hears of no change", async () => {
    const stored = system.documents.collection({ name: "shop_settings", fields: { version: "number" } });
    const current = (await stored.findOne({ _id: "shop" })) as { _id: string; version: number; values: object };
    const next = { ...current, version: current.version + 1, values: mergePatch(current.values, { phone: "1 800" }) };
    const changedAt = performance.now();
    await stored.replaceOne({ _id: "shop" }, next);
    await eventually(() => system.settings.shop.phone === "1 800");
    expect(performance.now() - changedAt).toBeLessThan(5_000);
  });

  test("take changes at once of different fields, and refuse one of what somebody else has changed", async () => {
    const { version } = await change({ legalName: "Reno Parts LLC" });
    await Promise.all([change({ email: "hello@shop.example" }), change({ openingHours: ["Mon to Fri"] })]);
    expect(await call(system.broker, "settings.shop", {})).toMatchObject({
      email: "hello@shop.example",
      openingHours: ["Mon to Fri"],
      legalName: "Reno Parts LLC",
    });
    await expect(change({ version, legalName: null })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
      data: { version: version + 2 },
    });
  });
});
