// Made by `npm run docs` from the sources in src/.
import { type EntryPoint, type Partline } from "./contract.js";
/** A text, or a function that is asked before each request. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);
export interface ClientOptions {
    /** Address of the gateway: `https://api.shop.example`. */
    baseUrl: string;
    /** Addresses of other entry points, for the routes that the gateway does not have. */
    entryPoints?: Partial<Record<EntryPoint, string>> | undefined;
    /** A token of the identity provider, or a system's key. */
    token?: Credential | undefined;
    /** X-Admin-Token: never in a browser. */
    adminToken?: Credential | undefined;
    /** A guest's id, at least 8 characters that nobody can guess: `crypto.randomUUID()`. */
    sessionId?: Credential | undefined;
    /** Most repeats of a request that may be repeated; 2 unless given. */
    retries?: number | undefined;
    /** Called with each answer: for its headers (RateLimit-Remaining, X-Request-Id). */
    onResponse?: ((response: Response) => void) | undefined;
    /** In place of the platform's own. */
    fetch?: typeof fetch | undefined;
}
export type Params = Record<string, unknown>;
/** Returns a function for each route, by service: `client.search.search({ q: "belt" })`. */
export declare function createClient(options: ClientOptions): Partline;
