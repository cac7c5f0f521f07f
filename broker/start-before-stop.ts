import type { Middleware, Service, ServiceSchema } from "moleculer";
import { middlewareOf } from "./moleculer/internals.ts";

type Step = (this: Service) => Promise<void> | void;
/** Moleculer joins those of a mixin and of the service itself to a list; stopping goes through it from its end. */
type Lifecycle = { started?: Step | Step[]; stopped?: Step | Step[] };

/**
 * Moleculer gives up a start as soon as one service has failed, while the others go on with theirs: stopped meanwhile,
 * they would open what nobody closes any more. Here a service is stopped when its own start is over, and one that was
 * stopped does not begin.
 */
export function startBeforeStop(): Middleware {
  const middleware = {
    name: "StartBeforeStop",
    serviceCreating: (_service: Service, schema: ServiceSchema & Lifecycle): void => {
      const steps = [schema.started ?? []].flat();
      let isStopped = false;
      let starting: Promise<void> | undefined;
      schema.started = function started(this: Service): Promise<void> {
        if (isStopped) return Promise.reject(new Error("The service was stopped before it began"));
        starting = inTurn(steps, this);
        return starting;
      };
      schema.stopped = [
        ...[schema.stopped ?? []].flat(),
        async () => {
          isStopped = true;
          await starting?.catch(() => undefined);
        },
      ];
    },
  };
  return middlewareOf(middleware);
}

async function inTurn(steps: readonly Step[], service: Service): Promise<void> {
  for (const step of steps) await step.call(service);
}
