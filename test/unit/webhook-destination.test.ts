import { describe, expect, it, test } from "@jest/globals";
import fc from "fast-check";
import { lookUpAllowed, isPublicAddress } from "@partline/http-client";
import { findFlaw, findResolvedFlaw, readPause } from "../../services/webhook/post.ts";
import { isGivenUp, computeNextTry } from "../../services/webhook/delivering.ts";
import { rotateSecrets, listValidSecrets } from "../../services/webhook/secrets.ts";

const inProduction = { production: true };
const elsewhere = { production: false };
const HOUR = 60 * 60_000;

describe("the URL of an endpoint", () => {
  test.each([
    ["https://erp.example/hook?a=1", undefined, undefined],
    ["https://8.8.8.8:8443/", undefined, undefined],
    ["http://127.0.0.1:9000/hook", "must begin with https://", undefined],
    ["http://localhost:9000/hook", "must begin with https://", undefined],
    ["http://[::1]:9000/", "must begin with https://", undefined],
    ["http://10.0.0.1/", "must begin with https://", "unless it is of this machine"],
    ["http://erp.example:99999/", "an http(s) URL", "an http(s) URL"],
    ["ftp://erp.example/", "https://", "https://"],
    ["file:///etc/passwd", "https://", "https://"],
    ["https://ada:secret@erp.example/", "credentials", "credentials"],
    ["https://erp.example/#top", "fragment", "fragment"],
    ["https://127.0.0.1/", "public address", "public address"],
    // All of these are 127.0.0.1, 169.254.169.254 or private.
    ["https://2130706433/", "public address", "public address"],
    ["https://0x7f.1/", "public address", "public address"],
    ["https://017700000001/", "public address", "public address"],
    ["https://169.254.169.254/latest/meta-data", "public address", "public address"],
    ["https://[::ffff:169.254.169.254]/", "public address", "public address"],
    ["https://[::ffff:a00:1]/", "public address", "public address"],
    ["https://[64:ff9b::a9fe:a9fe]/", "public address", "public address"],
    ["https://[::7f00:1]/", "public address", "public address"],
    ["https://[fd00:ec2::254]/", "public address", "public address"],
    ["https://168.63.129.16/", "public address", "public address"],
    ["https://[::ffff:168.63.129.16]/", "public address", "public address"],
    ["https://100.100.100.200/", "public address", "public address"],
    ["https://0.0.0.0/", "public address", "public address"],
  ])("%s: %s in production, %s elsewhere", (url, flaw, flawElsewhere) => {
    const expected = (words: string | undefined) => (words === undefined ? undefined : expect.stringContaining(words));
    expect(findFlaw(url, inProduction)).toEqual(expected(flaw));
    expect(findFlaw(url, elsewhere)).toEqual(expected(flawElsewhere));
  });

  it("is refused at once if its name is of this machine, and not if its name is unknown, except by http", async () => {
    expect(await findResolvedFlaw("https://localhost/", inProduction)).toContain("public address");
    expect(await findResolvedFlaw("https://nobody.invalid/", inProduction)).toBeUndefined();
    // Deliveries by http go to this machine alone.
    expect(await findResolvedFlaw("http://nobody.invalid/", elsewhere)).toContain("unless it is of this machine");
    expect(await findResolvedFlaw("http://localhost:9000/", elsewhere)).toBeUndefined();
  });
});

test("no private IPv4 address is public, also within IPv6", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const private4 = fc.oneof(
    fc.tuple(fc.constant(10), octet, octet, octet),
    fc.tuple(fc.constant(127), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  );
  fc.assert(
    fc.property(private4, (octets) => {
      const address = octets.join(".");
      for (const form of [address, `::ffff:${address}`, `64:ff9b::${address}`, `::${address}`])
        expect(isPublicAddress(form)).toBe(false);
    }),
  );
});

describe("a name that is looked up for a connection", () => {
  const answersOf = (...addresses: string[]) =>
    new Promise((resolve) => {
      const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      const lookup = lookUpAllowed(isPublicAddress, (_host, _options, callback) => callback(null, found));
      lookup("erp.example", { all: true }, (error, answer) => resolve(error?.message ?? answer));
    });

  it("is refused if one of its addresses is not public", async () => {
    expect(await answersOf("8.8.8.8", "10.0.0.7")).toBe("The address 10.0.0.7 is not public");
    expect(await answersOf("::1")).toBe("The address ::1 is not public");
    expect(await answersOf()).toMatch(/not public/);
    expect(await answersOf("8.8.8.8")).toEqual([{ address: "8.8.8.8", family: 4 }]);
  });
});

test("retries take three days with growing pauses, then end", () => {
  const start = new Date("2026-01-01T00:00:00Z");
  let at = start;
  let last = 0;
  for (let tries = 1; ; tries += 1) {
    const next = computeNextTry(tries, at, { random: 0 });
    if (!next) break;
    expect(next.getTime() - at.getTime()).toBeGreaterThan(last);
    last = next.getTime() - at.getTime();
    at = next;
  }
  expect((at.getTime() - start.getTime()) / HOUR).toBeGreaterThan(72);
  expect((at.getTime() - start.getTime()) / HOUR).toBeLessThan(80);
});

test("a receiver that asks for a pause gets it, up to a day, and never a shorter one than usual", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const pauseAfter = (tries: number, retryAfter: string): number =>
    computeNextTry(tries, now, { random: 0, retryAfterMs: readPause(retryAfter, now) })!.getTime() - now.getTime();
  expect(pauseAfter(1, "3600")).toBe(HOUR);
  expect(pauseAfter(1, "Thu, 01 Jan 2026 02:00:00 GMT")).toBe(2 * HOUR);
  expect(pauseAfter(1, "99999999")).toBe(24 * HOUR);
  for (const none of ["1", "-5", "soon", "Wed, 31 Dec 2025 00:00:00 GMT", ""]) expect(pauseAfter(1, none)).toBe(5_000);
  expect(computeNextTry(99, now, { retryAfterMs: HOUR })).toBeUndefined();
});

test("an endpoint is given up after five days without a success", () => {
  const now = new Date();
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
  expect(isGivenUp(undefined, now)).toBe(false);
  expect(isGivenUp(before(119), now)).toBe(false);
  expect(isGivenUp(before(120), now)).toBe(true);
});

test("the secrets before stay valid, each for its time, also if a rotation is repeated", () => {
  const now = new Date();
  const inHours = (hours: number): Date => new Date(now.getTime() + hours * HOUR);
  const rotate = (secrets: Parameters<typeof rotateSecrets>[0], value: string, overlapHours = 24, at = now) =>
    rotateSecrets(secrets, value, overlapHours, at);
  const valuesOf = (secrets: Parameters<typeof rotateSecrets>[0], hours: number) =>
    listValidSecrets(secrets, inHours(hours)).map(({ value }) => value);
  const once = rotate([{ value: "a" }], "b");
  const twice = rotate(once, "c", 48, inHours(1));
  expect(valuesOf(twice, 23)).toEqual(["c", "b", "a"]);
  expect(valuesOf(twice, 25)).toEqual(["c", "b"]);
  expect(valuesOf(twice, 50)).toEqual(["c"]);
  expect(rotate(once, "b")).toEqual(once);
  expect(rotate(once, "c", 24, inHours(25)).map(({ value }) => value)).toEqual(["c", "b"]);
  const many = ["c", "d", "e", "f"].reduce((before, value) => rotate(before, value), once);
  expect(valuesOf(many, 1)).toEqual(["f", "e", "d", "c", "b"]);
  expect(rotate(twice, "d", 0)).toEqual([{ value: "d" }]);
});
