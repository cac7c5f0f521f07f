import { lookup } from "node:dns/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { Infer } from "@partline/api-contracts";
import {
  AddressNotAllowed,
  lookUpAllowed,
  isLoopbackAddress,
  isPublicAddress,
  type Resolve,
} from "@partline/http-client";
import type { attemptRule } from "./contract.ts";

/** Production takes https to public addresses alone. */
export interface Policy {
  production: boolean;
}

/** The host as an address, of which the URL has one form; undefined for a name. */
function findAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : undefined;
}

/** The addresses that a URL may be sent to: public by https, loopback by http. */
export function isAllowedAddress({ protocol }: Pick<URL, "protocol">, address: string): boolean {
  return protocol === "https:" ? isPublicAddress(address) : isLoopbackAddress(address);
}

/** Says what is wrong with a URL, before its name is resolved. */
export function findFlaw(text: string, { production }: Policy): string | undefined {
  if (!URL.canParse(text)) return "must be an http(s) URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && (production || url.protocol !== "http:")) return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not have credentials";
  if (url.hash !== "") return "must not have a fragment";
  const address = findAddress(url);
  if (address !== undefined && !isAllowedAddress(url, address)) return explainNotAllowed(url);
  return undefined;
}

/**
 * Says what is wrong with a URL as its name resolves now. A name of https that does not resolve is no flaw: a receiver
 * may be set up later, and every connection is checked. One of http would never be of this machine.
 */
export async function findResolvedFlaw(text: string, policy: Policy): Promise<string | undefined> {
  const flaw = findFlaw(text, policy);
  if (flaw !== undefined) return flaw;
  const url = new URL(text);
  if (findAddress(url) !== undefined) return undefined;
  const addresses = await lookup(url.hostname, { all: true }).catch(() => []);
  if (addresses.length === 0 && url.protocol === "http:") return explainNotAllowed(url);
  return addresses.every(({ address }) => isAllowedAddress(url, address)) ? undefined : explainNotAllowed(url);
}

function explainNotAllowed({ protocol }: URL): string {
  return protocol === "https:"
    ? "must have a public address"
    : "must begin with https://, unless it is of this machine";
}

export type Outcome = Omit<Infer<typeof attemptRule>, "attemptedAt"> & {
  /** Milliseconds for which the receiver asks to be left alone. */
  retryAfterMs?: number;
};

/** A receiver that wants no more, for good. */
export const GONE = 410;

const LONGEST_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const KEPT_BYTES = 4 * 1024;

interface PosterOptions extends Policy {
  userAgent: string;
  resolve?: Resolve;
  longestMs?: number;
}

export type Poster = ReturnType<typeof createPoster>;

/**
 * Posts JSON to endpoints. The address is checked when a connection is made; no redirect is followed; an answer is read
 * up to 64 kB, and within 10 s from the beginning.
 */
export function createPoster({ production, userAgent, resolve, longestMs = LONGEST_MS }: PosterOptions) {
  const agentOptions = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
  const lookupFor = (protocol: string) => lookUpAllowed((address) => isAllowedAddress({ protocol }, address), resolve);
  const https = new HttpsAgent({ ...agentOptions, lookup: lookupFor("https:") });
  const http = new HttpAgent({ ...agentOptions, lookup: lookupFor("http:") });

  const send = (
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string; retryAfter?: string | undefined }> =>
    new Promise((fulfil, reject) => {
      const isSecure = url.protocol === "https:";
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: "POST",
        agent: isSecure ? https : http,
        headers: { ...headers, "content-length": Buffer.byteLength(body), "user-agent": userAgent },
        signal,
      });
      request.on("response", (response) => {
        const retryAfter = response.headers["retry-after"];
        readAnswer(response).then((text) => fulfil({ status: response.statusCode!, text, retryAfter }), reject);
      });
      // Nobody asked for it. Without a listener, Node would close the connection and say nothing.
      request.on("upgrade", ({ statusCode }, socket) => {
        socket.destroy();
        fulfil({ status: statusCode!, text: "" });
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection at that moment, before it could have read anything.
        const isStale = request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
        if (isStale && !signal.aborted) fulfil(send(url, headers, body, signal));
        else reject(error);
      });
      request.end(body);
    });

  return {
    /** @throws the reason of `stop` once that is aborted, also if the request succeeded */
    async post(text: string, headers: Record<string, string>, body: string, stop: AbortSignal): Promise<Outcome> {
      const startedAt = performance.now();
      const toOutcome = (rest: Omit<Outcome, "durationMs">): Outcome => ({
        ...rest,
        durationMs: Math.round(performance.now() - startedAt),
      });
      const late = AbortSignal.timeout(longestMs);
      try {
        const flaw = findFlaw(text, { production });
        if (flaw !== undefined) throw new AddressNotAllowed(`The URL ${flaw}`);
        const requestHeaders = { ...headers, "content-type": "application/json" };
        const {
          status,
          text: answer,
          retryAfter,
        } = await send(new URL(text), requestHeaders, body, AbortSignal.any([late, stop]));
        if (status >= 200 && status < 300) return toOutcome({ outcome: "delivered", status, answer });
        const retryAfterMs = status === 429 || status === 503 ? readPause(retryAfter, new Date()) : undefined;
        return toOutcome({ outcome: "failed", status, reason: explainStatus(status), answer, retryAfterMs });
      } catch (error) {
        stop.throwIfAborted();
        return toOutcome({ outcome: "failed", reason: toReason(error, late.aborted && longestMs) });
      }
    },
    close(): void {
      https.destroy();
      http.destroy();
    },
  };
}

function explainStatus(status: number): string {
  if (status === GONE) return "The receiver is gone for good (410)";
  return status >= 300 && status < 400 ? "A redirect, which is not followed" : "The status is no success";
}

/** Returns the milliseconds of a Retry-After: seconds, or a date of HTTP. */
export function readPause(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** Returns the beginning of an answer; what is longer than 64 kB is cut off with its connection. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  let bytes = 0;
  const start: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < KEPT_BYTES) start.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(start).subarray(0, KEPT_BYTES)).replaceAll("\0", "\uFFFD");
}

/** For the log of attempts: never an address or a part of the URL, except for a refused one. */
function toReason(error: unknown, lateAfterMs: number | false): string {
  if (lateAfterMs !== false) return `No whole answer within ${lateAfterMs / 1000} s`;
  if (error instanceof AddressNotAllowed) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return `No answer (${code ?? "connection closed"})`;
}
