/** Takes webhooks and notes when each came; GET gives the notes. `/hang` never answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const arrivals: Record<string, number> = {};
let repeats = 0;

const server = createServer((req, res) => {
  if (req.url === "/hang") return void req.resume();
  if (req.method === "GET") return void res.end(JSON.stringify({ arrivals, repeats }));
  let body = "";
  req.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  req.on("end", () => {
    const { data } = JSON.parse(body) as { data: { orderId: string } };
    if (data.orderId in arrivals) repeats += 1;
    else arrivals[data.orderId] = Date.now();
    res.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
