import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The floor: what node:http alone does with a constant answer. */
const body = JSON.stringify({ hello: "world" });
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
