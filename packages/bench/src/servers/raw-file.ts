import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The floor for a file: node:http and a read stream, no conditions, no ranges, no look-up. */
const [path, type] = process.argv.slice(2) as [string, string];
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", type);
  createReadStream(path).pipe(response);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
