import type { Context, ServiceSchema } from "moleculer";
import { cachedAction, cacheEvents } from "../caching/declared.ts";
import type { ChannelHandlers } from "../channels/port.ts";
import type { AnonymousContext, CallContext } from "./context.ts";
import type { ActionDefinition, Named, Params, Result, ServiceContract } from "./define.ts";
import { toValidatorRules, type Rules } from "./rules.ts";

type Handler<A> = (
  ctx: A extends { cache: object } ? AnonymousContext<Params<A>> : CallContext<Params<A>>,
) => Promise<Result<A>> | Result<A>;

interface EventListener {
  /** What the event must carry to be heard. */
  params: Rules;
  handler: (ctx: Context<unknown>) => Promise<void> | void;
}

export interface Parts<C extends Named> {
  actions: { [A in keyof C["actions"]]: Handler<C["actions"][A]> };
  /** Consumers of durable channels: `{ "order.created": { group, maxRetries, handler } }`. */
  channels?: ChannelHandlers;
  /** Listeners of plain events, which may be lost. */
  events?: { [name: string]: EventListener };
  started?: () => Promise<void> | void;
  stopped?: () => Promise<void> | void;
}

/**
 * The Moleculer service of a contract: every action gets the contract's params check, timeout, bulkhead, cache and, when it may be
 * repeated without harm, a second try on another node; the compiler refuses a missing action or a wrong result.
 */
export function implement<C extends Named>(contract: C & ServiceContract, parts: Parts<C>): ServiceSchema {
  const actions: Record<string, unknown> = {};
  let isCached = false;
  for (const [name, definition] of Object.entries<ActionDefinition>(contract.actions)) {
    const answerCache = cachedAction(`${contract.name}.${name}`, definition);
    isCached ||= answerCache !== undefined;
    actions[name] = {
      params: toValidatorRules(definition.params),
      handler: parts.actions[name as keyof C["actions"]],
      ...(definition.idempotent ? { idempotent: true } : {}),
      ...(definition.bulkhead === undefined ? {} : { bulkhead: { enabled: true, ...definition.bulkhead } }),
      ...(definition.timeout === undefined ? {} : { timeout: definition.timeout }),
      ...(answerCache && { answerCache }),
    };
  }
  const events = Object.fromEntries(
    Object.entries(parts.events ?? {}).map(([name, { params, handler }]) => [
      name,
      { params: toValidatorRules(params), handler },
    ]),
  );
  const schema = {
    name: contract.name,
    actions,
    channels: parts.channels ?? {},
    events: { ...events, ...(isCached ? cacheEvents : {}) },
    started: parts.started,
    stopped: parts.stopped,
  };
  return schema as ServiceSchema;
}
