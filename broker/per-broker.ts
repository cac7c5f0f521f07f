import type { ServiceBroker } from "moleculer";

/** One value for each broker, made at its first use. */
export function perBroker<T>(make: (broker: ServiceBroker) => T): (broker: ServiceBroker) => T {
  const made = new WeakMap<ServiceBroker, T>();
  return (broker) => {
    if (!made.has(broker)) made.set(broker, make(broker));
    return made.get(broker)!;
  };
}
