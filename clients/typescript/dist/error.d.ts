// Made by `npm run docs` from the sources in src/.
import type { ErrorCode } from "./contract.js";
/**
 * `NETWORK_ERROR`: there was no answer, or it broke off. `UNEXPECTED_ANSWER`: the answer is not one of Partline's, but of
 * a proxy, for example.
 */
export type ClientErrorCode = ErrorCode | "NETWORK_ERROR" | "UNEXPECTED_ANSWER";
interface Facts {
    status?: number;
    details?: unknown;
    requestId?: string | undefined;
    retryAfter?: number | undefined;
    cause?: unknown;
}
/** Every failure of a call, except of one that the caller ended by its signal. */
export declare class PartlineError<Code extends ClientErrorCode = ClientErrorCode> extends Error {
    readonly name = "PartlineError";
    readonly code: Code;
    /** HTTP status; 0 without an answer. */
    readonly status: number;
    /** More about the code; of VALIDATION_FAILED every refused field as `{ field, message }`. */
    readonly details: unknown;
    /** Finds the request in the server's logs. */
    readonly requestId: string | undefined;
    /** Seconds. */
    readonly retryAfter: number | undefined;
    constructor(code: Code, message: string, { status, details, requestId, retryAfter, cause }?: Facts);
}
/** Whether something that was thrown is a PartlineError, with one of these codes if some are given. */
export declare function isPartlineError<Code extends ClientErrorCode = ClientErrorCode>(error: unknown, ...codes: Code[]): error is PartlineError<Code>;
/** The error of a refusal's body, in any of its forms. */
export declare function refusal(body: unknown, { status, headers }: Pick<Response, "status" | "headers">): PartlineError;
export {};
