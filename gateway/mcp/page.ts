import type { ServerResponse } from "node:http";
import { Context, type ServiceBroker } from "moleculer";
import type { CallMeta } from "../../broker/contract/context.ts";
import type { GuestStorage } from "@partline/api-contracts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import {
  type ClientAddress,
  type RateLimiter,
  getMediaType,
  readBody,
  getExchange,
  type EdgeRequest,
  JSON_TYPE,
  send,
  parseJson,
} from "@partline/http-edge";
import type { GuestLimiter } from "../http/guest-storage.ts";

export const MCP_PATH = "/mcp";
export const MCP_METHODS = "POST, OPTIONS";
/** The desk's answers are among the dearest. */
export const MCP_LIMIT = { requests: 60, seconds: 60 };
/** A call's arguments are short. */
const BODY = { bytes: 64 * 1024, milliseconds: 10_000 };

export type McpPage = (req: EdgeRequest, res: ServerResponse) => Promise<void>;

interface McpDeps {
  broker: ServiceBroker;
  settings: Pick<Settings, "version" | "storeUrl" | "corsOrigins">;
  limit: RateLimiter;
  limitGuest: GuestLimiter;
  clientOf: ClientAddress;
  onFailure: (error: unknown) => void;
}

/**
 * Streamable HTTP without sessions, so any process can answer. A web page must be of a known origin: a browser could
 * be lured to a server of this machine (DNS rebinding).
 */
export function createMcpPage({ broker, settings, limit, limitGuest, clientOf, onFailure }: McpDeps): McpPage {
  return async (req, res) => {
    const { origin } = req.headers;
    if (origin !== undefined && !settings.corsOrigins.includes(origin))
      throw new PartlineError("FORBIDDEN", "Pages of this origin may not use the tools");
    await limit(req);
    if (getMediaType(req.headers["content-type"]) !== "application/json")
      throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", "The body must be application/json");
    const message = parseJson(await readBody(req, BODY));
    // Protocol version 2025-03-26 has batches.
    if (Array.isArray(message)) for (const _ of message.slice(1)) await limit(req);
    const { requestId } = getExchange(req);
    const ctx = new Context<unknown, CallMeta>(broker);
    ctx.requestID = requestId;
    ctx.meta.caller = { admin: false };
    ctx.meta.client = clientOf(req);
    // Loaded for the first request: the library takes 10 MB.
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import("./server.ts"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    ]);
    const context = {
      origin: ctx,
      storeUrl: settings.storeUrl,
      noteStorage: (storage: GuestStorage) => limitGuest(req, storage),
    };
    const server = createMcpServer(settings.version, context, onFailure);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    res.once("close", () => void server.close().catch(onFailure));
    await server.connect(transport);
    const version = req.headers["mcp-protocol-version"];
    // Answers are always JSON. The library refuses a client that accepts no event stream.
    const request = new Request(`${settings.storeUrl}${MCP_PATH}`, {
      method: "POST",
      headers: {
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        ...(version === undefined ? {} : { "Mcp-Protocol-Version": String(version) }),
      },
    });
    const answer = await transport.handleRequest(request, { parsedBody: message });
    send(req, res, { status: answer.status, type: JSON_TYPE, body: await answer.text() });
  };
}
