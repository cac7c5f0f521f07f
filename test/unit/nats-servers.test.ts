import { expect, test } from "@jest/globals";
import { natsServers } from "../../broker/nats-servers.ts";

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
])("%s", (natsUrl, servers) => {
  expect(natsServers(natsUrl)).toEqual(servers);
});
