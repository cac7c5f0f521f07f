import type { Context, Service, ServiceSchema } from "moleculer";
import { withAudit } from "../audit/audited.ts";
import { watchHandler } from "@partline/moleculer-kit";
import type { ChannelHandlers, Periodic, PeriodicTask, TaskHandler } from "@partline/durable";
import { getServiceRuntime } from "../runtime.ts";
import { startPeriodicTask } from "../periodic.ts";
import type { CallContext } from "./context.ts";
import {
  type ContractLike,
  type Params,
  type Result,
  type TasksOf,
  toValidatorRules,
  type Rules,
} from "@partline/api-contracts";
import type { ActionDefinition, ServiceContract } from "./define.ts";

type Handler<A> = (ctx: CallContext<Params<A>>) => Promise<Result<A>> | Result<A>;

interface EventListener {
  /** Events that do not fit are ignored. */
  params: Rules;
  handler: (ctx: Context) => Promise<void> | void;
}

interface Parts<C extends ContractLike, Events = Record<string, Record<string, unknown>>> {
  actions: { [A in keyof C["actions"]]: Handler<C["actions"][A]> };
  /** Consumers of durable channels: `{ "order.created": { group, maxRetries, handler } }`. */
  channels?: ChannelHandlers<Events>;
  /** Listeners of plain events, which may be lost. */
  events?: { [name: string]: EventListener };
  /** Run from the start of the service until it stops. */
  periodic?: readonly PeriodicTask[];
  started?: () => Promise<void> | void;
  stopped?: () => Promise<void> | void;
}

type TaskParts<C extends ContractLike> = C extends { tasks: object }
  ? { tasks: { [K in keyof TasksOf<C>]: TaskHandler<TasksOf<C>[K]> } }
  : object;

/**
 * Returns the Moleculer service of a contract: each action has its params check, timeout, bulkhead and, if idempotent,
 * a second try on another node. A service whose contract has no `ready` of its own is ready if its store answers.
 * The compiler refuses a missing action or a wrong result.
 */
export function implement<C extends ContractLike>(
  contract: C & ServiceContract,
  parts: Parts<C> & TaskParts<C>,
): ServiceSchema {
  const actions: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries<ActionDefinition>(contract.actions)) {
    const handler = parts.actions[name as keyof C["actions"]] as (ctx: CallContext<unknown>) => unknown;
    actions[name] = {
      params: toValidatorRules(definition.params),
      handler: definition.http || definition.audit ? withAudit(contract, name, handler) : handler,
      idempotent: isIdempotent(definition) || undefined,
      once: definition.once,
      bulkhead: definition.bulkhead && { enabled: true, ...definition.bulkhead },
      timeout: definition.timeout,
    };
  }
  // Its entry points may be in other processes, without a store.
  actions.ready ??= {
    handler: (ctx: Context) =>
      getServiceRuntime(ctx.broker)
        .documents.ping()
        .then(() => ({})),
  };
  const events = Object.fromEntries(
    Object.entries(parts.events ?? {}).map(([name, { params, handler }]) => [
      name,
      { params: toValidatorRules(params), handler },
    ]),
  );
  const { channels = {}, periodic = [], started, stopped } = parts;
  const { tasks = {} } = parts as { tasks?: Record<string, TaskHandler> };
  let running: Periodic[] = [];
  const lifecycle = {
    created(this: Service) {
      for (const [channel, handler] of Object.entries(channels))
        if (handler)
          getServiceRuntime(this.broker).channels.subscribe(channel, watchHandler(this.broker, channel, handler));
      for (const [kind, handler] of Object.entries(tasks)) getServiceRuntime(this.broker).tasks.handle(kind, handler);
    },
    async started(this: Service) {
      await started?.();
      running = periodic.map((task) => startPeriodicTask(this.broker, task));
    },
    async stopped() {
      await Promise.all(running.map((task) => task.stop()));
      await stopped?.();
    },
  };
  return { name: contract.name, actions, events, ...lifecycle } as ServiceSchema;
}

function isIdempotent({ idempotent, http = [] }: ActionDefinition): boolean {
  const isRead = http.length > 0 && http.every(({ method, answer }) => method === "GET" && answer !== "file");
  return idempotent ?? isRead;
}

/** `implement` with consumers typed by their event's payload. */
export function implementWith<Events>() {
  return implement as <C extends ContractLike>(
    contract: C & ServiceContract,
    parts: Parts<C, Events> & TaskParts<C>,
  ) => ServiceSchema;
}
