import { createHash } from "node:crypto";
import type { Page } from "../pages.ts";
import type { EdgeRequest } from "../request/edge-request.ts";
import type { Payload } from "../response/send.ts";

/** A page that does not change while the process runs; a client that has it gets 304. */
export function fixedPage(
  type: string,
  content: () => string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Page {
  let payload: (Payload & { headers: Record<string, string> }) | undefined;
  return {
    answer: (req: EdgeRequest) => {
      if (!payload) {
        const body = content();
        const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
        payload = { status: 200, type, body, headers: { ...headers, ETag: etag, "Cache-Control": "no-cache" } };
      }
      const known = req.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      return known?.includes(payload.headers.ETag!) ? { ...payload, status: 304, body: "" } : payload;
    },
  };
}
