// Made by `npm run docs` from the sources in src/.
export { createClient, type ClientOptions, type Credential } from "./client.js";
export type * from "./contract.js";
export type { CallOptions, FileBody } from "./options.js";
export { isPartlineError, PartlineError, type ClientErrorCode } from "./error.js";
