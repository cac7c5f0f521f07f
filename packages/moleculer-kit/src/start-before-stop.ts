import type { Middleware, Service, ServiceSchema } from "moleculer";
import { toMiddleware } from "./internals.ts";

type Step = (this: Service) => Promise<void> | void;
/** Moleculer joins a mixin's and a service's own to a list; stopping runs it backwards. */
type Lifecycle = { started?: Step | Step[]; stopped?: Step | Step[] };

/**
 * Stops a service only after its own start, and starts none that was stopped: Moleculer gives up a start when one
 * service fails while others go on, and they would open what nobody closes.
 */
export function startBeforeStop(): Middleware {
  return toMiddleware({
    name: "StartBeforeStop",
    serviceCreating: (_service: Service, schema: ServiceSchema & Lifecycle): void => {
      const steps = [schema.started ?? []].flat();
      let isStopped = false;
      let starting: Promise<void> | undefined;
      schema.started = function started(this: Service): Promise<void> {
        if (isStopped) return Promise.reject(new Error("The service was stopped before it began"));
        return (starting = runInTurn(steps, this));
      };
      schema.stopped = [
        ...[schema.stopped ?? []].flat(),
        async () => {
          isStopped = true;
          await starting?.catch(() => undefined);
        },
      ];
    },
  });
}

async function runInTurn(steps: readonly Step[], service: Service): Promise<void> {
  for (const step of steps) await step.call(service);
}
