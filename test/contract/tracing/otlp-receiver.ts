import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A span as OTLP/JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, "attributes" | "links" | "resource" | "failed"> & {
        attributes: Attribute[];
        links?: ReceivedSpan["links"];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

export interface OtlpReceiver {
  url: string;
  port: number;
  spans: ReceivedSpan[];
  /** Of the last request. */
  headers: IncomingMessage["headers"];
  /** Everything that came, as it came. */
  text(): string;
  stop(): Promise<void>;
}

/** What a collector is: takes traces by OTLP over HTTP. */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  let text = "";
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = (req.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString();
      text += body;
      receiver.headers = req.headers;
      if (req.url === "/v1/traces") receiver.spans.push(...spansOf(JSON.parse(body) as ExportRequest));
      res.writeHead(req.url === "/v1/traces" ? 200 : 404, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    spans: [],
    headers: {},
    text: () => text,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        parentSpanId: span.parentSpanId || undefined,
        attributes: asObject(span.attributes),
        resource: asObject(resource.attributes),
        links: span.links ?? [],
        failed: span.status?.code === 2,
      })),
    ),
  );
}

function asObject(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
