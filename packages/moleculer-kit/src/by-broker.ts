import type { ServiceBroker } from "moleculer";

/** Returns a function that makes one value for each broker, at its first use. */
export function memoizeByBroker<T>(make: (broker: ServiceBroker) => T): (broker: ServiceBroker) => T {
  const values = new WeakMap<ServiceBroker, T>();
  return (broker) => {
    if (!values.has(broker)) values.set(broker, make(broker));
    return values.get(broker)!;
  };
}
