import { validationFailed } from "../../../mixins/errors.ts";
import { acceptedBody } from "../../../mixins/http/request-body.ts";
import { MAX_UPLOAD_BYTES } from "../limits.ts";
import { HEAD_BYTES, isPdfHead } from "@partline/manual-reader";

/** Passes a PDF on as it arrives. @throws VALIDATION_FAILED naming `file`, PAYLOAD_TOO_LARGE (see `acceptedBody`) */
export function readPdfBody(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  return acceptedBody(source, {
    what: "file",
    mostBytes: MAX_UPLOAD_BYTES,
    headBytes: HEAD_BYTES,
    refusalOf: (head) =>
      isPdfHead(head)
        ? undefined
        : validationFailed({
            field: "file",
            message: head.length === 0 ? "The file is empty" : "The file is not a PDF",
          }),
  });
}
