import { isUnavailable } from "@partline/toolkit";

/** A store's error between the threads; without a code it is a fault of ours. */
export interface WireError {
  code?: "UNAVAILABLE" | "OUTCOME_UNKNOWN";
  message: string;
}

export type StoreErrors = ReturnType<typeof createStoreErrors>;

/** The errors of a store on SQLite; `store` names it in messages. */
export function createStoreErrors(
  store: string,
  StoreError: new (code: NonNullable<WireError["code"]>, message: string, options?: ErrorOptions) => Error,
) {
  const createUnavailable = (reason: string, cause?: unknown): Error =>
    new StoreError("UNAVAILABLE", `The ${store} is unavailable: ${reason}`, { cause });
  /** Returns what a caller of the port sees of an error that SQLite raised. */
  const toStoreError = (error: unknown): unknown =>
    isUnavailable(error) ? createUnavailable((error as Error).message, error) : error;
  return {
    store,
    unavailable: createUnavailable,
    toStoreError,
    outcomeUnknown: (reason: string): Error =>
      new StoreError("OUTCOME_UNKNOWN", `The ${store} went away in the middle of a write: ${reason}`),
    toWire(error: unknown): WireError {
      const storeError = toStoreError(error);
      return storeError instanceof StoreError
        ? { ...storeError, message: storeError.message }
        : { message: String(storeError) };
    },
    fromWire: ({ code, message, ...details }: WireError): Error =>
      code === undefined ? new Error(message) : Object.assign(new StoreError(code, message), details),
  };
}
