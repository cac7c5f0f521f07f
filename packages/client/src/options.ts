/** A body that can be sent again. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its repeats and its stream: `AbortSignal.timeout(5_000)`, for example. */
  signal?: AbortSignal | undefined;
  /**
   * Sent as Idempotency-Key in place of a new one, to repeat a call later: after a reload of the page, for example. At
   * most 255 visible ASCII characters.
   */
  idempotencyKey?: string | undefined;
  /** More request headers: `If-None-Match` for a file, for example. */
  headers?: Record<string, string> | undefined;
}
