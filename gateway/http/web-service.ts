import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { getFrom } from "@partline/toolkit";
import ApiGateway from "moleculer-web";
import { Context, type Service, type ServiceBroker, type ServiceSchema } from "moleculer";
import type { Caller, CallMeta } from "../../broker/contract/context.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import type { FileAnswer } from "../../broker/contract/file.ts";
import { listEndpoints, type Alias, type WebInternals, USUAL_TIMEOUT_MS } from "@partline/moleculer-kit";
import type { Authenticator } from "../auth/authenticator.ts";
import { sendAnswerStream } from "./answer-stream.ts";
import { type ClientAddress, type EventPage, type EventStreams, type EdgeRequest, sendJson } from "@partline/http-edge";
import { getExchange } from "./exchange.ts";
import { findGuestStorage, type GuestLimiter } from "./guest-storage.ts";
import { toOnceRequest } from "./idempotency.ts";
import { createParamsReader, type ParamsReader } from "./request/params.ts";
import { createDateWriter } from "./dates.ts";
import { sendError } from "./response/error.ts";
import { sendFile, sendPages, type NextPage, type NextPiece } from "./response/pieces.ts";
import { FILE_PARAM, PAGE_PARAM, type Route, type RouteTable } from "./routes.ts";

/** Longest wait for what a route awaits. */
const LONGEST_AWAIT_MS = 30_000;

type WebService = Service & WebInternals<WebRequest>;

type RequestContext = Context<unknown, CallMeta>;

type WebRequest = EdgeRequest & {
  $ctx: RequestContext;
  $route: unknown;
  $alias: Alias;
  $params: Record<string, unknown>;
};

interface WebServiceParts {
  broker: ServiceBroker;
  table: RouteTable;
  authenticator: Pick<Authenticator, "authenticate">;
  /** @throws RATE_LIMITED */
  limitGuest: GuestLimiter;
  clientOf: ClientAddress;
  eventStreams: EventStreams;
  cut: AbortSignal;
  started(): Promise<void>;
  stopped(): Promise<void>;
}

/**
 * moleculer-web maps routes to actions. Listening, routing, params and answers are ours, because of the hazards that
 * the tests in test/unit/gateway name.
 */
export function createWebService(parts: WebServiceParts) {
  const { broker, table, authenticator, limitGuest, clientOf, eventStreams, cut, started, stopped } = parts;
  const aliases = new Map<Route, Alias>();
  const readers = new Map<Route, ParamsReader>();
  const dateWriters = new Map(table.routes.map((route) => [route, createDateWriter(route.definition.result)]));
  let service: WebService | undefined;

  const adopt = (created: WebService): void => {
    service = created;
    const aliasesByKey = new Map(created.aliases.map((alias) => [`${alias.method} ${alias.fullPath}`, alias]));
    for (const route of table.routes) {
      aliases.set(route, getFrom(aliasesByKey, toAliasKey(route)));
      readers.set(route, createParamsReader(route, broker));
    }
  };

  /** A context of no action: a request is one call, that of its route. */
  const callRoute = (edgeRequest: EdgeRequest, res: ServerResponse): Promise<unknown> => {
    const { requestId, route } = getExchange(edgeRequest);
    const ctx: RequestContext = new Context(broker);
    ctx.requestID = requestId;
    ctx.service = service!;
    const alias = getFrom(aliases, route!);
    const req: WebRequest = Object.assign(edgeRequest, { $ctx: ctx, $alias: alias, $route: alias.route, $params: {} });
    if (route!.streamed && isEventStreamPreferred(req.headers.accept))
      return answerByStream(req, res, route!, route!.streamed);
    return service!.aliasHandler(req, res, alias);
  };

  const answerByStream = async (req: WebRequest, res: ServerResponse, route: Route, streamed: Route): Promise<void> => {
    const ctx = req.$ctx;
    getExchange(req).route = streamed;
    await readCall(ctx, req, route);
    const answerId = randomUUID();
    const begin = (): Promise<Readable> =>
      ctx.call<Readable, object>(streamed.action, req.$params, { paramsCloning: false, meta: { answerId } });
    const abandonStream = (): void => void broker.broadcast(route.http.streamed!.abandoned, { answerId });
    await sendAnswerStream(req, res, begin, {
      silenceMs: route.definition.timeout ?? USUAL_TIMEOUT_MS,
      abandon: abandonStream,
      cut,
      logger: broker.logger,
    });
  };

  const authenticate = (
    { headers }: EdgeRequest,
    { http: { access, scope, session, credentials, refusesKeys } }: Route,
  ) => authenticator.authenticate({ headers, access, scope, session, credentials, refusesKeys, entry: table.entry });

  const readCall = async (ctx: RequestContext, req: WebRequest, route: Route): Promise<void> => {
    ctx.meta.client = clientOf(req);
    const caller = await authenticate(req, route);
    ctx.meta.caller = caller;
    const storage = findGuestStorage(req, route, caller);
    if (storage) await limitGuest(req, storage);
    req.$params = await getFrom(readers, route)(req);
    if (isAudited(route, caller)) ctx.meta.audit = true;
    ctx.meta.once = toOnceRequest(req, route, caller, req.$params);
  };

  /** Waits for the action that the route awaits. Its failure is logged only, because the change is written. */
  const awaitAction = async (action: string, requestID: string | null): Promise<void> => {
    if (listEndpoints(broker, action).length === 0) return;
    try {
      await broker.call(action, {}, { timeout: LONGEST_AWAIT_MS, requestID: requestID ?? undefined });
    } catch (error) {
      broker.logger.warn({ action }, "An answer was sent without the action that it waits for", error);
    }
  };

  const schema = {
    name: `http-${table.entry}`,
    mixins: [ApiGateway as Partial<ServiceSchema>],
    settings: {
      // Other nodes do not need them.
      $secureSettings: ["routes"],
      server: false,
      routes: [
        {
          path: "/",
          mappingPolicy: "restrict",
          mergeParams: false,
          bodyParsers: false,
          logging: false,
          // Nobody else holds the params.
          callOptions: { paramsCloning: false },
          aliases: Object.fromEntries(
            table.routes.map((route) => [
              toAliasKey(route),
              route.bodyKind === "stream" ? `stream:${route.action}` : route.action,
            ]),
          ),
          onBeforeCall: (ctx: RequestContext, _route: unknown, req: WebRequest) =>
            readCall(ctx, req, getExchange(req).route!),
          onAfterCall: async (ctx: RequestContext, _route: unknown, req: WebRequest, _res: unknown, data: unknown) => {
            const { awaits } = getExchange(req).route!.http;
            if (awaits) await awaitAction(awaits, ctx.requestID);
            return data;
          },
        },
      ],
      logRequest: null,
      logRequestParams: null,
      logResponse: null,
      logRouteRegistration: null,
    },
    actions: {
      rest: false,
      listAliases: false,
      addRoute: false,
      removeRoute: false,
    },
    events: Object.fromEntries(
      table.routes.flatMap(({ http: { wokenBy } }) => (wokenBy ? [[wokenBy, () => eventStreams.wake(wokenBy)]] : [])),
    ),
    methods: {
      sendResponse: (req: WebRequest, res: ServerResponse, data: unknown): void => {
        const route = getExchange(req).route!;
        // Pieces and pages that follow are of the same request.
        req.$ctx.meta.audit = undefined;
        const repeatCall = <Answer>(more: object): Promise<Answer> =>
          req.$ctx.call<Answer, object>(route.action, { ...req.$params, ...more });
        const breakOff = (error: unknown): void => sendError(req, res, error, broker.logger);
        const { status = 200, envelope, answer, wokenBy } = route.http;
        if (req.$ctx.meta.replayed) getExchange(req).headers["Idempotent-Replayed"] = "true";
        if (answer === "file") {
          const next: NextPiece = async (piece) => (await repeatCall<FileAnswer>({ [FILE_PARAM]: { piece } })).body!;
          sendFile(req, res, data as FileAnswer, next).catch(breakOff);
          return;
        }
        if (answer === "pages") {
          const next: NextPage = (position) => repeatCall<ExportPage>({ [PAGE_PARAM]: position });
          sendPages(req, res, data as ExportPage, next).catch(breakOff);
          return;
        }
        const result = dateWriters.get(route)?.(data) ?? data;
        if (answer === "event-stream") {
          const readPage = async (after: number): Promise<EventPage> => {
            const page = await repeatCall<EventPage>({ after });
            return (dateWriters.get(route)?.(page) ?? page) as EventPage;
          };
          const mayRead = () => authenticate(req, route);
          eventStreams.open(req, res, { first: result as EventPage, read: readPage, mayRead, wokenBy });
          return;
        }
        sendJson(req, res, status, envelope ? { success: true, data: result ?? null } : result);
      },
    },
    created(this: WebService): void {
      adopt(this);
    },
    started,
    stopped,
  };

  return { schema: schema as unknown as ServiceSchema, callRoute };
}

/** Returns whether a request is audited: changes by staff and keys, webhooks, and every use of the admin token. */
function isAudited({ method, http, bodyKind }: Route, { admin, adminToken, key }: Caller): boolean {
  if (method === "GET" || http.scope?.endsWith(":read")) return adminToken === true;
  return admin || key !== undefined || bodyKind === "raw";
}

function toAliasKey({ method, path }: Route): string {
  return `${method} ${path.replaceAll("{", ":").replaceAll("}", "")}`;
}

/** Finds the preference for a type in an Accept header. */
function findPreference(accept: string, type: string): { quality: number; place: number } | undefined {
  for (const [place, part] of accept.split(",").entries()) {
    const [name = "", ...params] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (name !== type) continue;
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
    return { quality: Number.isFinite(quality) ? quality : 0, place };
  }
  return undefined;
}

function isEventStreamPreferred(accept: string | undefined): boolean {
  const stream = findPreference(accept ?? "", "text/event-stream");
  if (!stream || stream.quality <= 0) return false;
  const json = findPreference(accept!, "application/json");
  return !json || stream.quality > json.quality || (stream.quality === json.quality && stream.place < json.place);
}
