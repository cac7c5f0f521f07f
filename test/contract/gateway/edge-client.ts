import { request, type IncomingHttpHeaders } from "node:http";
import { startTestBroker, type TestBroker, type TestBrokerOptions } from "../../support/test-broker.ts";
import type { EntryPoint } from "../../../broker/contract/define.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { eventually } from "../../support/eventually.ts";
import { freePorts } from "../../support/ports.ts";
import { testSettings } from "../../support/test-settings.ts";
import { shopContract, shopService } from "./shop-contract.ts";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black-box client has no types to rely on
  json: any;
}

export interface Ask {
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string or Buffer as it stands. */
  body?: unknown;
}

export interface Edge extends TestBroker {
  port(entry: EntryPoint): number;
  ask(entry: EntryPoint, method: string, target: string, options?: Ask): Promise<Reply>;
}

/** The made-up shop behind real entry points. */
export async function startEdge(
  entries: EntryPoint[],
  options: Partial<Pick<TestBrokerOptions, "transport" | "services" | "documents">> & {
    env?: Record<string, string>;
  } = {},
): Promise<Edge> {
  const first = await freePorts(entries.length);
  const ports = Object.fromEntries(entries.map((entry, offset) => [entry, first + offset]));
  const env = Object.fromEntries(entries.map((entry) => [toPortSetting(entry), String(ports[entry])]));
  const system = await startTestBroker({
    services: [
      ...(options.services ?? [shopService]),
      ...entries.map(
        (entry) => (broker: TestBroker["broker"]) => createEntryPointService(broker, entry, [shopContract]),
      ),
    ],
    transport: options.transport ?? "local",
    settings: testSettings({ ADMIN_TOKEN: "test-admin-token", ...env, ...options.env }),
    ...(options.documents ? { documents: options.documents } : {}),
  });
  const port = (entry: EntryPoint): number => ports[entry]!;
  for (const entry of options.services ? [] : entries) {
    await eventually(async () => (await send(port(entry), "GET", "/health/ready")).status === 200);
  }
  return { ...system, port, ask: (entry, method, target, ask) => send(port(entry), method, target, ask) };
}

/** A plain HTTP client that sends a target and a body exactly as given, which fetch does not. */
export function send(port: number, method: string, target: string, { headers = {}, body }: Ask = {}): Promise<Reply> {
  const isJson = body !== undefined && typeof body !== "string" && !Buffer.isBuffer(body);
  const payload = isJson ? JSON.stringify(body) : body;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        method,
        path: target,
        agent: false,
        headers: {
          ...(isJson ? { "content-type": "application/json" } : {}),
          ...(payload === undefined || "transfer-encoding" in headers
            ? {}
            : { "content-length": Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJsonAnswer = incoming.headers["content-type"]?.includes("json") && text !== "";
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            text,
            json: isJsonAnswer ? JSON.parse(text) : undefined,
          });
        });
        incoming.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}
