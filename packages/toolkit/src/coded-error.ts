/**
 * Returns an error that callers distinguish by its `code`. Moleculer carries `type` and `data` to other nodes; `data` is
 * for the caller, so it holds nothing secret.
 */
export function createCodedError(code: string, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, type: code, retryable: false, data });
}
