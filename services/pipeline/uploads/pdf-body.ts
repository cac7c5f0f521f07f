import { PartlineError, validationFailed } from "../../../mixins/errors.ts";
import { MAX_READ_BYTES, MAX_UPLOAD_BYTES } from "../limits.ts";
import { HEAD_BYTES, isPdfHead } from "../reading/pdf/head.ts";

/**
 * Hands a file on as it arrives. What is refused is read on to its end all the same (at most as much again), so that
 * whoever sends it gets to read why: a client that is sending does not read.
 * @throws VALIDATION_FAILED naming `file` (it is empty, or no PDF) and PAYLOAD_TOO_LARGE, each at the end of what is
 * read
 */
export async function* pdfBody(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let bytes = 0;
  let refused: PartlineError | undefined;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MAX_READ_BYTES) break;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    if (head.length >= HEAD_BYTES && !isPdfHead(head)) refused ??= refusedFile("The file is not a PDF");
    if (bytes > MAX_UPLOAD_BYTES)
      refused ??= new PartlineError("PAYLOAD_TOO_LARGE", `The file is larger than ${MAX_UPLOAD_BYTES} bytes`);
    if (!refused) yield chunk;
  }
  if (bytes === 0) throw refusedFile("The file is empty");
  if (!isPdfHead(head)) throw refusedFile("The file is not a PDF");
  if (refused) throw refused;
}

function refusedFile(message: string): PartlineError {
  return validationFailed({ field: "file", message });
}
