import { expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() => startSystem({ env: { SHOP_ADDRESS: "12 Wharf Road|Reno, NV 89501" } }));
const SETTINGS = "/api/admin/settings";

const change = (body: object) => system.request("gateway", "PATCH", SETTINGS, { adminToken: ADMIN_TOKEN, body });
const getPage = async (path: string, language = "en"): Promise<string> =>
  (await system.request("shop", "GET", path, { headers: { "Accept-Language": language } })).text;

test("what staff set is on the shop's pages; what the environment sets is not theirs to change", async () => {
  const before = await system.request("gateway", "GET", SETTINGS, { adminToken: ADMIN_TOKEN });
  expect(before).toMatchObject({ status: 200, body: { data: { pinned: ["address"], shopName: "Partline" } } });
  const changed = await change({ shopName: "Reno <i>Parts</i>", phone: "+1 775 555 0100" });
  expect(changed).toMatchObject({ status: 200, body: { data: { shopName: "Reno <i>Parts</i>" } } });
  await eventually(async () => (await getPage("/")).includes("Reno &lt;i&gt;Parts&lt;/i&gt;"));
  expect((await system.request("gateway", "GET", "/api/shop")).body.data).toMatchObject({ phone: "+1 775 555 0100" });
  expect(await change({ address: ["Elsewhere"] })).toMatchObject({
    status: 400,
    body: { error: { code: "VALIDATION_FAILED", details: [{ field: "address" }] } },
  });
  expect(await change({ version: 0, phone: null })).toMatchObject({ status: 409 });
  expect((await system.request("gateway", "PATCH", SETTINGS, { body: { phone: null } })).status).toBe(401);
  // What was read can be sent back.
  expect(await change(changed.body.data as object)).toMatchObject({ status: 200 });
});

test("the audit stream says who changed which setting, from what to what", async () => {
  const { body } = await system.request("gateway", "GET", "/api/admin/audit?object=settings", {
    adminToken: ADMIN_TOKEN,
  });
  expect(body.data.entries.at(-1)).toMatchObject({
    actor: "admin",
    action: "settings.change",
    changes: expect.arrayContaining([{ field: "phone", before: null, after: "+1 775 555 0100" }]),
  });
});
