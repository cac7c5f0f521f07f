import type { CallingOptions, Context, ServiceBroker } from "moleculer";
import type { Input, Result } from "@partline/api-contracts";

export type CallOrigin = Pick<ServiceBroker, "call"> | Pick<Context<unknown, object>, "call">;

/** A call that the compiler checks. A context passes on caller, request id and remaining time; a broker does not. */
type TypedCall<Actions> = <K extends keyof Actions & string>(
  from: CallOrigin,
  action: K,
  params: Input<Actions[K]>,
  options?: CallingOptions,
) => Promise<Result<Actions[K]>>;

export function createTypedCall<Actions>(): TypedCall<Actions> {
  return ((
    from: Pick<ServiceBroker, "call">,
    action: string,
    params: Record<string, unknown>,
    options?: CallingOptions,
  ) =>
    // Moleculer writes to the options: they must not reach the next call.
    from.call(action, params, options && { ...options })) as TypedCall<Actions>;
}
