import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export interface Received {
  id: string;
  type: string;
  data: Record<string, unknown>;
  /** How many signatures the request had. */
  signatures: number;
  at: number;
}

type Answer = (res: ServerResponse, count: number) => void;

/** A receiver that knows nothing but `standardwebhooks`: it verifies, answers and notes what it got. */
export async function startReceiver(onPort = 0) {
  const received: Received[] = [];
  const refused: string[] = [];
  let secret = "";
  let answer: Answer = (res) => res.writeHead(204).end();
  let count = 0;
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    void text(req).then((body) => {
      const headers = req.headers as Record<string, string>;
      count += 1;
      try {
        const { type, data } = new Webhook(secret).verify(body, headers) as Pick<Received, "type" | "data">;
        const signatures = headers["webhook-signature"]!.split(" ").length;
        received.push({ id: headers["webhook-id"]!, type, data, signatures, at: Date.now() });
      } catch (error) {
        refused.push(String(error));
        res.writeHead(401).end();
        return;
      }
      answer(res, count);
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    refused,
    verifyBy: (value: string) => void (secret = value),
    answerBy: (next: Answer) => void (answer = next),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
