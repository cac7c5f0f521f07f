import { expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { startSystem } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() =>
  startSystem({ mode: "embedded", env: { IDENTITY_MODE: "mail", STAFF: "owner:boss@shop.example" } }),
);

type App = "shop" | "console";

const post = (app: App, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(system.url(app) + path, { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });
const open = (app: App, path: string, cookie = "") =>
  fetch(system.url(app) + path, { headers: { Cookie: cookie }, redirect: "manual" });
const toAddress = ({ status, headers }: Response) => [status, headers.get("location")];

async function readLink(email: string): Promise<URL> {
  const mail = await eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { recipient: string; text: string }[] };
    return mails.find(({ recipient }) => recipient === email);
  });
  return new URL(/http\S+/.exec(mail.text)![0]);
}

test.each([
  ["shop", "ada@example.com", "/orders", 200],
  ["console", "boss@shop.example", "/orders", 200],
  ["console", "stranger@example.com", "/", 403],
] as const)("a person signs in to the %s by mail: %s", async (app, email, back, status) => {
  expect(toAddress(await open(app, `/session/sign-in?return=${encodeURIComponent(back)}`))).toEqual([
    302,
    `/sign-in?return=${encodeURIComponent(back)}`,
  ]);
  const sent = await post(app, "/session/mail", { email, return: back });
  expect(toAddress(sent)).toEqual([303, `/sign-in?return=${encodeURIComponent(back)}&sent=1`]);
  const link = await readLink(email);
  expect(link.origin).toBe(system.url(app));
  // A mail server that opens the link uses nothing up.
  for (let times = 0; times < 2; times += 1)
    expect(await (await open(app, link.pathname + link.search)).text()).toContain('action="/session/confirm"');
  const token = link.searchParams.get("token")!;
  const confirmed = await post(app, "/session/confirm", { token, return: back });
  expect(toAddress(confirmed)).toEqual([303, back]);
  const cookie = confirmed.headers.getSetCookie()[0]!.split(";")[0]!;
  expect((await open(app, back, cookie)).status).toBe(status);
  expect(toAddress(await post(app, "/session/confirm", { token, return: back }))).toEqual([
    303,
    `/sign-in?return=${encodeURIComponent(back)}&problem=link`,
  ]);
});

test("bad input is said on the page, and another origin's page signs nobody in", async () => {
  const refused = await post("shop", "/session/mail", { email: "no address", return: "//evil.example" });
  expect(toAddress(refused)).toEqual([303, "/sign-in?return=%2F&problem=address"]);
  expect(await (await open("shop", "/sign-in?problem=address")).text()).toContain("That isn&#x27;t an email address.");
  const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  for (const path of ["/session/mail", "/session/confirm"])
    expect([path, (await post("shop", path, { email: "ada@example.com" }, foreign)).status]).toEqual([path, 403]);
});

test("a front end of one's own signs people in by the API", async () => {
  const body = { email: "own@example.com", return: "https://evil.example" };
  const wrong = await system.request("gateway", "POST", "/api/users/sign-in-links", { body });
  expect([wrong.status, wrong.body.error.details]).toMatchObject([400, [{ field: "return" }]]);
  const linkAnswer = await system.request("gateway", "POST", "/api/users/sign-in-links", {
    body: { email: body.email },
  });
  expect(linkAnswer.status).toBe(202);
  const token = (await readLink(body.email)).searchParams.get("token")!;
  const { body: session, status } = await system.request("gateway", "POST", "/api/users/tokens", { body: { token } });
  expect(status).toBe(201);
  const headers = { Authorization: `Bearer ${session.data.token}` };
  expect((await system.request("gateway", "GET", "/api/users/me", { headers })).body.data.email).toBe(body.email);
  expect((await system.request("gateway", "DELETE", "/api/users/me", { headers })).status).toBe(200);
});
