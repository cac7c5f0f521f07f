export { createClient, type ClientOptions, type Credential } from "./client.ts";
export type * from "./contract.ts";
export type { CallOptions, FileBody } from "./options.ts";
export { isPartlineError, PartlineError, type ClientErrorCode } from "./error.ts";
