import { ObjectStoreError } from "../port.ts";

/** The HTTP status of what the client threw, or undefined where no answer came. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** The error's own words may hold hosts and keys: its name is all that is told. */
export function unavailable(error: unknown): ObjectStoreError {
  return new ObjectStoreError("UNAVAILABLE", `The object store cannot be used (${nameOf(error)})`, { cause: error });
}

export function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "error";
}
