import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { createAuthenticator } from "../../gateway/auth/authenticator.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { createMailSignIn } from "../../services/user/mail-sign-in.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const MINUTE_MS = 60_000;
const SETTINGS = {
  IDENTITY_MODE: "mail",
  STAFF: "owner:boss@shop.example,clerk:Sam@Shop.example,clerk:kim@xn--bcher-kva.example",
};

/** The links that the mail service was asked to send, oldest first. */
const sent: { email: string; link: string }[] = [];
const mailService = (): ServiceSchema => ({
  name: "mail",
  actions: {
    sendSignInLink: ({ params }) => (sent.push(params as { email: string; link: string }), { accepted: true }),
  },
});
const tokenOf = (link: string): string => new URL(link).searchParams.get("token")!;

describe("Sign-in by a link in a mail", () => {
  let test: TestBroker;
  let authenticator: ReturnType<typeof createAuthenticator>;
  beforeAll(async () => {
    const settings = testSettings(SETTINGS);
    // Two nodes, so that what happens at the same moment meets in the store.
    test = await startTestBroker({ services: ["user", "user", mailService], transport: "fake", settings });
    authenticator = createAuthenticator(settings, {
      logger: { warn: () => undefined },
      findKey: () => Promise.resolve(null),
      loadOwnKeys: () => call(test.broker, "user.listSigningKeys", {}),
    });
  });
  afterAll(() => test.stop());

  const request = async (email: string, app: "shop" | "console" = "shop"): Promise<string> => {
    await call(test.broker, "user.requestSignIn", { email, app });
    return sent.at(-1)!.link;
  };
  const redeem = (link: string) => call(test.broker, "user.redeemSignIn", { token: tokenOf(link) });
  const signIn = async (email: string, app: "shop" | "console" = "shop") => {
    const { token } = await redeem(await request(email, app));
    const headers = { authorization: `Bearer ${token}` };
    return (await authenticator.authenticate({ headers, access: "user", entry: "gateway" })).user!;
  };
  const refused = { code: "UNAUTHORIZED" };

  it("gives a token that every entry point takes; an address is one user, in any case of its letters", async () => {
    const user = await signIn("ada@example.com");
    expect(user).toMatchObject({ email: "ada@example.com", role: "customer" });
    expect((await signIn("Ada@Example.com", "console")).sub).toBe(user.sub);
    expect(await call(test.as({ admin: true }), "user.get", { id: user.sub })).toMatchObject({
      email: "ada@example.com",
    });
  });

  it("gives those whom STAFF names their role, and a shorter token", async () => {
    expect((await signIn("sam@shop.example")).role).toBe("clerk");
    const { expiresAt } = await redeem(await request("boss@shop.example"));
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(12 * 60 * MINUTE_MS);
  });

  it("takes a link once, also of several at a time, and no other token", async () => {
    const link = await request("once@example.com");
    const outcomes = await Promise.allSettled([redeem(link), redeem(link), redeem(link)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    await expect(redeem("http://x/?token=forged")).rejects.toMatchObject(refused);
  });

  it("sends an address five links, also at the same moment; a link has neither address nor role in it", async () => {
    const requests = Array.from({ length: 40 }, () => request("flood@example.com"));
    expect((await Promise.allSettled(requests)).filter(({ status }) => status === "rejected")).toEqual([]);
    const links = sent.filter(({ email }) => email === "flood@example.com").map(({ link }) => link);
    expect([links.length, new Set(links).size]).toEqual([5, 5]);
    expect(links.join()).not.toMatch(/flood|example\.com/);
  });

  it("takes all spellings of an address for one, and refuses what no mail server takes", async () => {
    const spellings = ["kim@bücher.example", "Kim@BÜCHER.example", "ｋim@ｂücher.example"];
    const { sub } = await signIn("kim@xn--bcher-kva.example");
    for (const spelling of spellings)
      expect(await signIn(spelling)).toMatchObject({ sub, email: "kim@xn--bcher-kva.example", role: "clerk" });
    for (let tries = 0; tries < 3; tries += 1) await request("kim@büｃher.example");
    expect(sent.filter(({ email }) => email.startsWith("kim"))).toHaveLength(5);
    for (const wrong of ["kim@a⒈.example", "kim⑴@example.com", `kim@${`${"ü".repeat(58)}.`.repeat(4)}example`])
      await expect(request(wrong)).rejects.toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "email" }] });
  });

  it("makes an account that its owner can delete; the address is then a new user's", async () => {
    const user = await signIn("gone@example.com");
    await call(test.as({ user, admin: false }), "user.deleteMe", {});
    await expect(call(test.as({ admin: true }), "user.get", { id: user.sub })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await signIn("gone@example.com")).sub).not.toBe(user.sub);
  });
});

describe("Through the hours", () => {
  // Later than the store's own clock, by which it drops what has expired.
  let now = new Date("2126-11-29T12:00:00Z");
  const wait = (minutes: number): void => void (now = new Date(now.getTime() + minutes * MINUTE_MS));
  const settings = testSettings(SETTINGS);
  let documents: DocumentStore;
  beforeAll(async () => void (documents = await openDocumentStore({ dataDir: settings.dataDir })));
  afterAll(() => documents.close());

  const start = (sendLink: (mail: { link: string }) => Promise<{ accepted: boolean }>, email: string) => {
    const signIn = createMailSignIn({ documents, settings, sendLink, now: () => now });
    const request = (app: "shop" | "console" = "shop") => signIn.requestLink({ email, app, back: "/", language: "en" });
    return { ...signIn, request };
  };
  const collect = (links: string[]) => async (mail: { link: string }) => {
    links.push(tokenOf(mail.link));
    return { accepted: true };
  };

  it("a link is valid for a quarter of an hour, and a key signs for a quarter of a year", async () => {
    const links: string[] = [];
    const signIn = start(collect(links), "ada@example.com");
    await signIn.request();
    await signIn.request();
    wait(14);
    await signIn.redeemLink(links[0]!);
    wait(2);
    await expect(signIn.redeemLink(links[1]!)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    wait(45 * 24 * 60);
    await signIn.request();
    await signIn.redeemLink(links[2]!);
    expect((await signIn.listPublicKeys()).keys).toMatchObject([{ kid: "2126Q4" }, { kid: "2127Q1" }]);
    expect(JSON.stringify(await signIn.listPublicKeys())).not.toContain('"d":');
  });

  it("an address that is refused a link has a valid one to that app, so nobody locks anybody out", async () => {
    const links: string[] = [];
    const signIn = start(collect(links), "boss@shop.example");
    for (let tries = 0; tries < 6; tries += 1) await signIn.request();
    await signIn.request("console");
    expect(links).toHaveLength(6);
    wait(14);
    await signIn.request();
    expect(links).toHaveLength(6);
    await signIn.redeemLink(links[4]!);
    wait(1);
    await signIn.request();
    expect(links).toHaveLength(7);
  });

  it("a link that could not be sent does not count and opens nothing", async () => {
    const links: string[] = [];
    const broken = start(({ link }) => Promise.reject(new Error(tokenOf(link))), "eve@example.com");
    const refusing = start(async () => ({ accepted: false }), "eve@example.com");
    const token = await broken.request().catch((error: Error) => error.message);
    await expect(broken.redeemLink(token as string)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    for (let tries = 0; tries < 5; tries += 1) await refusing.request();
    await start(collect(links), "eve@example.com").request();
    expect(links).toHaveLength(1);
  });
});

describe("With an identity provider", () => {
  it("nobody gets a link, and accounts are deleted there", async () => {
    const test = await startTestBroker({ services: ["user", mailService], settings: testSettings() });
    try {
      const user = { sub: "user_1", role: "customer", aud: "api", azp: "x" } as const;
      await expect(call(test.broker, "user.requestSignIn", { email: "ada@example.com" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await expect(call(test.as({ user, admin: false }), "user.deleteMe", {})).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    } finally {
      await test.stop();
    }
  });
});
