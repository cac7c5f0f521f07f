import { PartlineError } from "../../mixins/errors.ts";
import { any, boolean, type Infer, integer, object, oneOf, rules, string } from "@partline/api-contracts";

/** Most bytes of one answer, to fit a message of NATS (1 MB, with base64's quarter). */
export const PIECE_BYTES = 512 * 1024;

const header = string({ optional: true });

const fileRequestRule = object({
  head: boolean({ optional: true }),
  accept: header,
  ifMatch: header,
  ifNoneMatch: header,
  range: header,
  ifRange: header,
  piece: object(
    { from: integer({ min: 0 }), to: integer({ min: 0 }), etag: string() },
    {
      optional: true,
      description: "What follows in an answer that has begun, of the very same content; both ends are part of it",
    },
  ),
});
export type FileRequest = Infer<typeof fileRequestRule>;

export const fileParams = rules({ file: { ...fileRequestRule, description: "What the request's headers ask" } });

export const fileAnswerRule = object({
  status: oneOf([200, 206, 304, 412, 416]),
  type: string(),
  etag: string(),
  bytes: integer({ description: "Of the whole file" }),
  from: integer({ description: "First byte that is answered" }),
  to: integer({ description: "Last byte that is answered; before `from` where there is none" }),
  cacheControl: string(),
  vary: string({ nullable: true }),
  disposition: string({ optional: true, description: "Content-Disposition" }),
  policy: string({ optional: true, description: "Content-Security-Policy" }),
  body: any({ description: "A Buffer: at most PIECE_BYTES, from `from` on; null where none is wanted" }),
});
export type FileAnswer = Omit<Infer<typeof fileAnswerRule>, "body"> & { body: Buffer | null };

/** The tag is strong, in quotes; `vary` names the request headers that the choice of the file depended on. */
type FileFacts = Omit<FileAnswer, "status" | "from" | "to" | "vary" | "body"> & { vary?: string };

/**
 * Answers a request for a file (RFC 9110): not modified, a range, or all; of a long file the first piece. Reads only
 * what it answers. Several ranges are answered with the whole file, as the RFC allows.
 * @throws VERSION_CONFLICT if the file changed before a further piece
 */
export async function answerFile(
  request: FileRequest,
  facts: FileFacts,
  readBytes: (from: number, to: number) => Promise<Buffer>,
): Promise<FileAnswer> {
  const { etag, bytes, vary = null } = facts;
  const answer = (status: FileAnswer["status"], from: number, to: number, body: Buffer | null): FileAnswer => ({
    ...facts,
    status,
    from,
    to,
    vary,
    body,
  });
  const readPiece = async (from: number, to: number): Promise<Buffer> =>
    to < from ? Buffer.alloc(0) : readBytes(from, Math.min(to, from + PIECE_BYTES - 1));

  if (request.piece) {
    const { from, to, etag: startedEtag } = request.piece;
    if (startedEtag !== etag || to >= bytes)
      throw new PartlineError("VERSION_CONFLICT", "The file changed while it was read");
    return answer(206, from, to, await readPiece(from, to));
  }
  const last = bytes - 1;
  if (request.ifMatch !== undefined && !matches(request.ifMatch, etag)) return answer(412, 0, last, null);
  if (request.ifNoneMatch !== undefined && matches(request.ifNoneMatch, etag, `W/${etag}`))
    return answer(304, 0, last, null);
  if (request.head) return answer(200, 0, last, null);
  const range =
    request.ifRange === undefined || request.ifRange.trim() === etag ? parseRange(request.range, bytes) : undefined;
  if (range === "beyond") return answer(416, 0, last, null);
  const { from, to } = range ?? { from: 0, to: last };
  return answer(range ? 206 : 200, from, to, await readPiece(from, to));
}

function matches(list: string, ...etags: string[]): boolean {
  return list.trim() === "*" || list.split(",").some((tag) => etags.includes(tag.trim()));
}

/** The requested range; undefined for none, for several and for an invalid one. */
function parseRange(header: string | undefined, bytes: number): { from: number; to: number } | "beyond" | undefined {
  const match = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") {
    const length = Math.min(Number(match[2]), bytes);
    return length === 0 ? "beyond" : { from: bytes - length, to: bytes - 1 };
  }
  const from = Number(match[1]);
  const to = match[2] === "" ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  if (match[2] !== "" && Number(match[2]) < from) return undefined;
  return from >= bytes ? "beyond" : { from, to };
}
