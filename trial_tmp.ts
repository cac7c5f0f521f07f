import { clientOf } from "./test/support/system.ts";
import { checkOutAndPay, orderOf } from "./bench/support/shop.ts";
const A = "adm-open-token";
const sys = clientOf("embedded", 24000, () => "");
const show = (n: string, a: any) => console.log(n, a.status, (a.text ?? "").slice(0, 220));
const owner = await sys.token("user_owner_t", { role: "owner" }), clerk = await sys.token("user_clerk_t", { role: "clerk" });
const found = await sys.request("gateway", "GET", "/api/search?q=carburetor&limit=20");
const hit = found.body.parts.find((p: any) => p.unitPrice !== null);
const { sessionId } = await checkOutAndPay(sys as any, hit);
const { orderId } = await orderOf(sys as any, sessionId) as any;
console.log("order", orderId);
const g = (m: any, p: string, o: any = {}) => sys.request("gateway", m, p, o);
show("address", await sys.request("payment", "PUT", `/api/orders/${orderId}/shipping-address`, { token: clerk, body: { shippingAddress: { name: "Zelda Secretname", street: "77 Hidden Lane", city: "Nowhere", state: "CO", postalCode: "80401", country: "US" } } }));
show("note", await g("POST", `/api/admin/orders/${orderId}/notes`, { token: clerk, body: { text: "Call Zelda Secretname at +1 555 0199" } }));
show("adminNote", await g("PATCH", `/api/admin/orders/${orderId}`, { token: clerk, body: { adminNote: "Zelda Secretname rang" } }));
const order = await g("GET", `/api/admin/orders/${orderId}`, { token: clerk });
const line = order.body.data.items[0];
show("ship", await g("POST", `/api/admin/orders/${orderId}/shipments`, { token: clerk, body: { carrier: "UPS", trackingNumber: "1Z999", lines: [{ lineId: line.lineId, quantity: 1 }] } }));
show("refund", await g("POST", `/api/admin/orders/${orderId}/refunds`, { token: clerk, body: { amount: 1 } }));
show("mails", await g("GET", `/api/admin/orders/${orderId}/mails`, { token: clerk }));
const mails = (await g("GET", `/api/admin/orders/${orderId}/mails`, { token: clerk })).body.data.mails;
if (mails[0]) show("mail again", await g("POST", `/api/admin/orders/${orderId}/mails`, { token: clerk, body: { mailId: mails[0].mailId, to: "zelda@secret.example" } }));
show("guest export", await g("POST", `/api/admin/orders/guest-data/export`, { token: owner, body: { orderId } }));
const trail = await g("GET", `/api/admin/audit?objectId=${orderId}&pageSize=100`, { token: owner });
for (const e of trail.body.data.entries) console.log(e.actor, e.action, e.outcome, JSON.stringify(e.changes).slice(0, 400));
console.log("PII in trail:", /Zelda|Hidden|zelda@|0199/.test((await g("GET", `/api/admin/audit?pageSize=100`, { token: owner })).text));
show("erase", await g("POST", `/api/admin/orders/guest-data/erase`, { token: owner, body: { orderId } }));
// escalation
for (const role of [["owner"], "OWNER", { a: 1 }, "owner ", "__proto__", "constructor", "toString"]) {
  const t = await sys.token("user_x", { role }); const r = await g("GET", "/api/admin/keys", { token: t }); console.log("role", JSON.stringify(role), r.status);
}
show("clerk keys", await g("POST", "/api/admin/keys", { token: clerk, body: { name: "x", scopes: ["orders:read"] } }));
show("clerk patch user role", await g("PATCH", "/api/users/user_clerk_t", { token: clerk, body: { role: "owner" } }));
show("clerk me role", await g("PATCH", "/api/users/me", { token: clerk, body: { role: "owner" } }));
show("clerk cancel", await g("PATCH", `/api/admin/orders/${orderId}`, { token: clerk, body: { status: "cancelled" } }));
const ow = await g("POST", "/api/admin/keys", { token: owner, body: { name: "w", scopes: ["webhooks:write", "orders:write"] } });
const key = ow.body.data.key;
show("key webhook order.created", await g("POST", "/api/admin/webhooks", { token: key, body: { url: "https://erp.example/h", eventTypes: ["order.created"] } }));
show("key webhook order.shipped", await g("POST", "/api/admin/webhooks", { token: key, body: { url: "https://erp.example/h", eventTypes: ["order.shipped"] } }));
show("key PATCH cancelled", await g("PATCH", `/api/admin/orders/${orderId}`, { token: key, body: { status: "cancelled" } }));
show("key get order", await g("GET", `/api/admin/orders/${orderId}`, { token: key }));
show("key + wrong admin", await g("GET", `/api/admin/orders`, { token: key, adminToken: "x" }));
show("key + right admin", await g("POST", `/api/admin/keys`, { token: key, adminToken: A, body: { name: "x", scopes: ["orders:read"] } }));
const dup = await fetch(`http://127.0.0.1:24000/api/admin/orders`, { headers: [["x-admin-token", A], ["x-admin-token", "x"]] as any }); console.log("dup admin", dup.status);
for (const url of ["http://[::ffff:127.0.0.1]:9/", "http://[::ffff:10.0.0.1]/", "https://127.0.0.1.nip.io/", "https://localhost./", "https://foo.localhost/", "https://[fe80::1%25eth0]/", "https://metadata.google.internal/", "https://1.1.1.1\\@127.0.0.1/", "https://127.1/", "https://①②⑦.0.0.1/", "https://user@8.8.8.8/", "javascript:alert(1)", "https://8.8.8.8:0/", "https://[::]/", "https://8.8.8.8/x y", "https://" + "a".repeat(3000) + ".com/"])
  { const r = await g("POST", "/api/admin/webhooks", { adminToken: A, body: { url, eventTypes: ["order.shipped"] } }); console.log("url", url.slice(0, 50), r.status, r.body?.error?.details?.[0]?.message?.slice(0, 90) ?? r.body?.data?.url); }
process.exit(0);
