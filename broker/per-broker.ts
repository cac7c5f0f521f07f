import type { ServiceBroker } from "moleculer";

/** What each broker has one of, made when it is asked for first. */
export function perBroker<T>(make: (broker: ServiceBroker) => T): (broker: ServiceBroker) => T {
  const made = new WeakMap<ServiceBroker, T>();
  return (broker) => {
    if (!made.has(broker)) made.set(broker, make(broker));
    return made.get(broker)!;
  };
}
