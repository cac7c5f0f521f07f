import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createClientAddress } from "../src/client-address.ts";
import type { EdgeRequest } from "../src/edge-request.ts";

const request = (remoteAddress?: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as EdgeRequest;

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::9", "2001:db8:1:2"],
  ["2001:0db8:0000:0002::9", "2001:db8:0:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  [undefined, ""],
])("where no proxy is trusted, the client at %s is %s, with any headers", (remoteAddress, client) => {
  expect(createClientAddress([])(request(remoteAddress, "10.0.0.1"))).toBe(client);
});

describe("behind trusted proxies", () => {
  const clientOf = createClientAddress(["10.0.0.0/8", "192.0.2.1", "fd00::/8", "2001:db8::5"]);

  test.each([
    ["of one proxy, the address that it wrote", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["of two, the one before both", "10.0.0.1", "198.51.100.7, 192.0.2.1", "198.51.100.7"],
    ["what the client wrote itself does not count", "10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"],
    ["nor that it says to be a proxy", "10.0.0.1", "203.0.113.9, 10.9.9.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
    ["nobody else's word counts", "198.51.100.7", "203.0.113.9", "198.51.100.7"],
    ["a proxy's own request is its own", "10.0.0.1", undefined, "10.0.0.1"],
    ["all of them proxies: the first one", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["IPv6 by its network", "::ffff:10.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["a proxy on IPv6", "fd00::2", "198.51.100.7", "198.51.100.7"],
    ["a proxy on IPv6 by its address", "2001:db8::5", "198.51.100.7, 2001:db8:0::5", "198.51.100.7"],
    ["and not its neighbour", "2001:db8::6", "198.51.100.7", "2001:db8:0:0"],
    ["a proxy with a port", "10.0.0.1", "198.51.100.7:4711, 10.0.0.2:80", "198.51.100.7"],
    ["with a port", "10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
    ["with a port, on IPv6", "10.0.0.1", "[2001:db8:1:2::3]:4711", "2001:db8:1:2"],
    ["an entry that is no address ends the look", "10.0.0.1", "203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"],
    ["an empty one too", "10.0.0.1", "203.0.113.9, ", "10.0.0.1"],
  ])("%s", (_, remoteAddress, forwarded, client) => {
    expect(clientOf(request(remoteAddress, forwarded))).toBe(client);
  });

  test("nothing that a client writes before its own address changes who it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())).map((hops) => hops.join(",")),
        ),
        (written) => {
          expect(clientOf(request("10.0.0.1", `${written}, 198.51.100.7`))).toBe("198.51.100.7");
        },
      ),
    );
  });
});
