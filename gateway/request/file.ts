import type { FileRequest } from "../../broker/contract/file.ts";
import type { EdgeRequest } from "./edge-request.ts";

export function fileRequestOf({ method, headers }: EdgeRequest): FileRequest {
  const { accept, range } = headers;
  const ifMatch = headers["if-match"];
  const ifNoneMatch = headers["if-none-match"];
  const ifRange = headers["if-range"];
  return {
    ...(method === "HEAD" ? { head: true } : {}),
    ...(accept === undefined ? {} : { accept }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    ...(range === undefined ? {} : { range }),
    ...(typeof ifRange === "string" ? { ifRange } : {}),
  };
}
