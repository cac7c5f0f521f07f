import type { ServiceBroker } from "moleculer";
import { ANY_TYPE, toValidatorRules, type Rules } from "@partline/api-contracts";
import type { FileRequest } from "../../../broker/contract/file.ts";
import { invalidField, notFound, PartlineError, validationFailed } from "../../../mixins/errors.ts";
import { isSafeText } from "@partline/parts-language";
import { FILE_PARAM, type Route } from "../routes.ts";
import {
  hasBody,
  limitSilence,
  getMediaType,
  readBody,
  refuseAnnounced,
  refuseEncoding,
  getExchange,
  type EdgeRequest,
  parseJsonObject,
} from "@partline/http-edge";
import { createDateReader } from "../dates.ts";
import { coerceText, parseQuery, type QueryHandling } from "./query.ts";

/** Longest silence of a streamed body's sender, milliseconds. */
const STREAM_SILENCE = 30_000;

const JSON_TYPES: readonly string[] = ["application/json"];

type Params = Record<string, unknown>;
type Check = (params: Params) => unknown;

/**
 * Reads an action's params, each from the one place that the contract gives it: no query overrides a body, no body a
 * path, whose params it may repeat.
 * @throws NOT_FOUND, VALIDATION_FAILED, INVALID_JSON, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, TIMEOUT
 */
export type ParamsReader = (req: EdgeRequest) => Params | Promise<Params>;

export function createParamsReader(route: Route, broker: Pick<ServiceBroker, "validator">): ParamsReader {
  const readPath = createPathReader(route.fields.path, broker);
  const pathNames = Object.keys(route.fields.path);
  const readQuery = (req: EdgeRequest): Params =>
    parseQuery(getExchange(req).query, route.fields.query, readQueryHandling(route, req));
  switch (route.bodyKind) {
    case "none":
      return (req) => ({ ...readQuery(req), ...readPath(req), ...readAnswerParams(route, req) });
    case "json": {
      const rules = route.fields.body;
      const types = route.http.consumes ?? JSON_TYPES;
      const readDates = createDateReader(rules);
      return async (req) => {
        const path = readPath(req);
        const query = readQuery(req);
        const body = await readJson(req, types);
        for (const name of pathNames) {
          const same = [undefined, null, path[name]];
          if (Object.hasOwn(body, name) && !same.includes(body[name]))
            throw invalidField(name, "must have the same value as in the path");
        }
        for (const name of Object.keys(query))
          if (Object.hasOwn(body, name)) throw invalidField(name, "is not allowed");
        return Object.assign(readDates ? (readDates(body) as Params) : body, query, path);
      };
    }
    case "raw":
      return async (req) => {
        const path = readPath(req);
        requireType(req, route.http.consumes ?? JSON_TYPES);
        const body = await readBody(req);
        const headers = (route.http.headers ?? []).flatMap((name) => {
          const value = req.headers[name];
          return value === undefined ? [] : [[name, [value].flat().join(", ")]];
        });
        return { ...path, body: body.toString("utf8"), headers: Object.fromEntries(headers) as Params };
      };
    case "stream":
      return (req) => {
        const params = { ...readQuery(req), ...readPath(req) };
        // The action reads a form's boundary or a file's charset.
        const contentType = requireType(req, route.http.consumes ?? JSON_TYPES, { anyCharset: true });
        refuseEncoding(req);
        if (route.http.maxAnnounced !== undefined) refuseAnnounced(req, route.http.maxAnnounced);
        limitSilence(req, STREAM_SILENCE);
        return { ...params, contentType };
      };
  }
}

/** A client can ask for a strict read (RFC 7240, 4.4), to find a name that it misspelt. */
function readQueryHandling({ method }: Route, { headers }: EdgeRequest): QueryHandling {
  const isStrict = method !== "GET" || /(^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers.prefer ?? ""));
  return isStrict ? "strict" : "lenient";
}

function readAnswerParams({ http: { answer } }: Route, req: EdgeRequest): Params {
  if (answer === "file") return { [FILE_PARAM]: readFileRequest(req) };
  const after = answer === "event-stream" ? readLastEventId(req) : undefined;
  return after === undefined ? {} : { after };
}

/** An impossible id is not found, like an unknown one. */
function createPathReader(rules: Rules, { validator }: Pick<ServiceBroker, "validator">): (req: EdgeRequest) => Params {
  const fields = Object.entries(rules);
  if (fields.length === 0) return () => ({});
  const check = validator?.compile(toValidatorRules(rules)) as Check | undefined;
  return (req) => {
    const { pathValues } = getExchange(req);
    const params: Params = {};
    for (const [index, [name, rule]] of fields.entries()) {
      const text = decodeSegment(pathValues[index] ?? "");
      if (text === undefined) throw notFound(name);
      params[name] = coerceText(text, rule);
    }
    if (check && check(params) !== true) throw notFound(fields.map(([name]) => name).join(" or "));
    return params;
  };
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    const text = decodeURIComponent(segment);
    return isSafeText(text) ? text : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

async function readJson(req: EdgeRequest, types: readonly string[]): Promise<Params> {
  if (!hasBody(req)) return {};
  requireType(req, types);
  return parseJsonObject(await readBody(req));
}

function requireType(req: EdgeRequest, allowed: readonly string[], { anyCharset = false } = {}): string {
  const header = req.headers["content-type"] ?? "";
  if (allowed.includes(ANY_TYPE)) return header;
  const charset = /;\s*charset="?([^";\s]+)/i.exec(header)?.[1]?.toLowerCase() ?? "utf-8";
  if (!allowed.includes(getMediaType(header)) || !(anyCharset || ["utf-8", "utf8", "us-ascii"].includes(charset))) {
    throw new PartlineError(
      "UNSUPPORTED_MEDIA_TYPE",
      `The Content-Type must be ${allowed.join(" or ")}${anyCharset ? "" : ", in UTF-8"}`,
    );
  }
  return header;
}

/** @throws VALIDATION_FAILED */
function readLastEventId({ headers }: EdgeRequest): number | undefined {
  const id = headers["last-event-id"];
  if (id === undefined || id === "") return undefined;
  if (typeof id === "string" && /^\d{1,15}$/.test(id)) return Number(id);
  const message = "The 'Last-Event-ID' header must be the id of an event.";
  throw validationFailed({ field: "Last-Event-ID", message });
}

function readFileRequest({ method, headers }: EdgeRequest): FileRequest {
  const { accept, range, "if-match": ifMatch, "if-none-match": ifNoneMatch, "if-range": ifRange } = headers;
  const fields = { accept, ifMatch, ifNoneMatch, range, ifRange };
  const sentFields = Object.entries(fields).filter(([, value]) => typeof value === "string");
  return { ...(method === "HEAD" ? { head: true } : {}), ...Object.fromEntries(sentFields) };
}
