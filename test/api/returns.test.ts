import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "@jest/globals";
import sharp from "sharp";
import { buy } from "../support/buy.ts";
import { eventually } from "../support/eventually.ts";
import { quarters } from "../support/images.ts";
import { importParts } from "../support/requests.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { useSystem } from "../support/use-started.ts";

const system = useSystem();

it("a guest asks for returns by the link of a mail, with photos for staff alone, and each is answered by mail", async () => {
  await importParts(system, "koh", "part_number,title,list_price\n300-001,Belt,20");
  const item = { productId: "koh-300001", partNumber: "300-001", title: "Belt", quantity: 3, unitPrice: 20 };
  const { orderId, orderNumber } = await buy(system, { items: [item], language: "de" });
  const admin = (method: "GET" | "POST", path: string, body?: object) =>
    system.request("gateway", method, path, { adminToken: ADMIN_TOKEN, ...(body && { body }) });
  const own = `/api/admin/orders/${orderId}`;
  const findMail = (words: string) =>
    eventually(async () => {
      const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
      const { mails } = (await answer.json()) as { mails: { recipient: string; subject: string; text: string }[] };
      return mails.find(({ text }) => text.includes(orderNumber) && text.includes(words));
    });
  const confirmation = await findMail(`${system.url("shop")}/orders/`);
  const link = `/api/orders/by-link/${/\/orders\/([\w.-]+)/.exec(confirmation.text)![1]!}`;
  const ask = (quantity: number) =>
    system.request("gateway", "POST", `${link}/returns`, {
      body: { lines: [{ partNumber: "300-001", quantity }], reason: "damaged", comment: "It tore" },
    });
  expect(await ask(1)).toMatchObject({ status: 409, body: { error: { code: "INVALID_TRANSITION" } } });
  expect(await admin("POST", `${own}/shipments`, {})).toMatchObject({ status: 201 });

  const both = await Promise.all([ask(2), ask(2)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const made = both.find(({ status }) => status === 201)!.body.data as { returns: { returnId: string }[] };
  const { returnId } = made.returns[0]!;
  const acknowledged = await findMail("Wir haben Ihre Rückgabeanfrage erhalten");
  expect(acknowledged).toMatchObject({
    recipient: confirmation.recipient,
    subject: `Ihre Rückgabeanfrage zur Bestellung ${orderNumber} ist da`,
    text: expect.stringContaining("2 x Belt (300-001)"),
  });
  const reported = await findMail("The buyer writes: It tore");
  expect(reported).toMatchObject({
    recipient: "staff@partline.example",
    subject: `Return request for order ${orderNumber}`,
  });
  expect(reported.text).toContain(`/orders/${orderId}/show`);
  const photos = `${link}/returns/${returnId}/photos`;
  const show = (rawBody: Uint8Array) => system.request("gateway", "POST", photos, { rawBody });
  const noise = await sharp(randomBytes(3_000 * 2_000 * 3), { raw: { width: 3_000, height: 2_000, channels: 3 } })
    .jpeg()
    .toBuffer();
  const shown = await show(noise);
  expect(shown).toMatchObject({ status: 201, body: { data: { returnDetails: [{ photos: [expect.any(String)] }] } } });
  expect(await show(Buffer.concat([noise, Buffer.alloc(40_000_000)]))).toMatchObject({ status: 413 });
  expect(await show(Buffer.from("no picture"))).toMatchObject({ status: 415 });
  expect(await show(Buffer.alloc(0))).toMatchObject({ status: 400, body: { error: { details: [{ field: "body" }] } } });
  const cut = await quarters(320, 200).png().toBuffer();
  expect(await show(cut.subarray(0, 200))).toMatchObject({ status: 400 });

  const [photo] = (shown.body.data as { returnDetails: { photos: string[] }[] }).returnDetails[0]!.photos;
  const address = `${own}/photos/${photo}`;
  const response = await fetch(`${system.url("gateway")}${address}`, { headers: { "X-Admin-Token": ADMIN_TOKEN } });
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect([format, width, height]).toEqual(["jpeg", 1_600, 1_067]);
  expect((await system.request("gateway", "GET", address)).status).toBe(401);

  // Of photos sent at once, those beyond the third are not kept; one that is sent again counts once.
  const others = await Promise.all([101, 102, 103].map((side) => quarters(side, 90).png().toBuffer()));
  const answers = await Promise.all([noise, ...others].map(show));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
  const getPhoto = (bytes: Buffer) =>
    admin("GET", `${own}/photos/${createHash("sha256").update(bytes).digest("hex")}`).then(({ status }) => status);
  expect(await Promise.all([noise, ...others].map(getPhoto))).toEqual(
    answers.map(({ status }) => (status === 201 ? 200 : 404)),
  );

  expect((await admin("GET", `/api/admin/orders/..%2f${orderId}/photos/${photo}`)).status).toBe(404);
  const queued = await admin("POST", "/api/admin/orders/search", { queue: "return_requested", q: orderNumber });
  expect(queued).toMatchObject({ body: { data: { orders: [{ orderId, returnDetails: [{ comment: "It tore" }] }] } } });
  const decide = (id: string, body: object) => admin("POST", `${own}/returns/${id}/decision`, body);
  const missing = await decide(returnId, { decision: "refused" });
  expect(missing).toMatchObject({ status: 400, body: { error: { details: [{ field: "refusal" }] } } });
  expect((await decide(returnId, { decision: "refused", refusal: "Der Riemen war benutzt." })).status).toBe(200);
  const refused = await findMail("Der Riemen war benutzt.");
  expect(refused.subject).toBe(`Ihre Rückgabeanfrage zur Bestellung ${orderNumber}`);

  const again = (await ask(3)).body.data as { returns: { returnId: string; state: string }[] };
  expect(again.returns.map(({ state }) => state)).toEqual(["refused", "requested"]);
  const second = again.returns[1]!.returnId;
  expect((await decide(second, { decision: "approved" })).status).toBe(200);
  await findMail("Sie können diese Artikel zurückschicken");
  const received = await admin("POST", `${own}/returns/${second}/receipt`, {});
  expect(received).toMatchObject({ status: 200, body: { data: { refund: { amount: 60 } } } });
  expect(await ask(1)).toMatchObject({ status: 409 });

  const { contact } = (await admin("GET", own)).body.data as { contact: { email: string } };
  await admin("POST", "/api/admin/orders/guest-data/erase", { email: contact.email, orderNumber });
  const erased = (await system.request("gateway", "GET", link)).body.data as object;
  expect(erased).not.toHaveProperty("returnDetails");
  await eventually(async () => (await admin("GET", address)).status === 404);
});
