import { expect, test } from "@jest/globals";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nkeys } from "nats";
import { parseNatsServers } from "../src/nats-servers.ts";

test.each([
  ["nats://a:4222", { servers: ["nats://a:4222"] }],
  ["a:4222, nats://[::1]:4223 ,tls://c", { servers: ["nats://a:4222", "nats://[::1]:4223", "tls://c"] }],
  [
    "nats://ada:p%40ss@a:4222,nats://b:4222",
    { servers: ["nats://a:4222", "nats://b:4222"], user: "ada", pass: "p@ss" },
  ],
  [
    "nats://a,nats://ada:first@b,nats://bob:second@c",
    { servers: ["nats://a", "nats://b", "nats://c"], user: "ada", pass: "first" },
  ],
  ["nats://secret-token@a,b", { servers: ["nats://a", "nats://b"], token: "secret-token" }],
  [
    "tls://a?ca=/ca.pem&cert=/cert.pem&key=/key.pem,tls://b",
    { servers: ["tls://a", "tls://b"], tls: { caFile: "/ca.pem", certFile: "/cert.pem", keyFile: "/key.pem" } },
  ],
])("%s", (natsUrl, servers) => {
  expect(parseNatsServers(natsUrl)).toEqual(servers);
});

test("a user's credentials file and a seed answer a server's challenge", () => {
  const folder = mkdtempSync(join(tmpdir(), "partline-nats-"));
  const user = nkeys.createUser();
  const seed = Buffer.from(user.getSeed()).toString();
  const [creds, nkey] = [join(folder, "partline.creds"), join(folder, "partline.nk")];
  const jwt = "eyJ0eXAiOiJKV1QifQ.eyJuYW1lIjoicGFydGxpbmUifQ.c2lnbmF0dXJl";
  writeFileSync(
    creds,
    `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  );
  writeFileSync(nkey, `${seed}\n`);
  expect(parseNatsServers(`nats://a?creds=${creds}`).authenticator!("nonce")).toMatchObject({
    jwt,
    nkey: user.getPublicKey(),
  });
  expect(parseNatsServers(`nats://a?nkey=${nkey}`).authenticator!("nonce")).toMatchObject({
    nkey: user.getPublicKey(),
  });
});
