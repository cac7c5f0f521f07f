import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Asked } from "./http.ts";

type Recorded = Asked["requests"][number];

export interface Recorder {
  /** Stands before the server: what is sent here is sent on. */
  url: string;
  /** The searches that came by since it was last asked, ready to be sent to the server itself. */
  take(): Recorded[];
  close(): void;
}

const HEADERS = ["content-type", "accept", "authorization"];

/** Stands between a client and the Elasticsearch server and writes down what is searched for. */
export async function startRecorder(elasticsearchUrl: string): Promise<Recorder> {
  let recorded: Recorded[] = [];
  const { origin, username, password } = new URL(elasticsearchUrl);
  const server: Server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const method = request.method ?? "GET";
      const headers = Object.fromEntries(
        HEADERS.flatMap((name) => (typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : [])),
      );
      const url = `${origin}${request.url}`;
      if (/\/_m?search\b/.test(request.url ?? "")) recorded.push({ method, url, headers, body: body.toString() });
      const answer = await fetch(url, { method, headers, ...(body.length > 0 ? { body } : {}) });
      const product = answer.headers.get("x-elastic-product");
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "text/plain",
        ...(product === null ? {} : { "x-elastic-product": product }),
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  Object.assign(url, { username, password });
  return {
    url: url.href,
    take: () => {
      const requests = recorded;
      recorded = [];
      return requests;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
