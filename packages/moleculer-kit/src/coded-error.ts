/** Returns an error that callers distinguish by its `code`; Moleculer carries it to other nodes as `type`. */
export function createCodedError(code: "TIMEOUT" | "VALIDATION_FAILED", message: string): Error {
  return Object.assign(new Error(message), { code, type: code });
}
