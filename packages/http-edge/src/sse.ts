import type { ServerResponse } from "node:http";
import type { EdgeRequest } from "./edge-request.ts";
import { getCommonHeaders } from "./send.ts";

/** A browser does not come back after 204. */
export function writeStreamHead(req: EdgeRequest, res: ServerResponse, status: 200 | 204 = 200): void {
  res.writeHead(status, {
    ...(status === 200 ? { "Content-Type": "text/event-stream; charset=utf-8" } : {}),
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    ...getCommonHeaders(req),
  });
}

/** Resolves when there is room for more. A client that takes nothing for `silenceMs` is cut off. */
export async function writePiece(res: ServerResponse, piece: string | Buffer, silenceMs: number): Promise<void> {
  if (res.destroyed || res.write(piece)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => res.destroy(), silenceMs);
    const goOn = (): void => {
      clearTimeout(timer);
      res.off("drain", goOn).off("close", goOn);
      resolve();
    };
    res.on("drain", goOn).on("close", goOn);
  });
}
