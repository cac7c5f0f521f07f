import { Strategies, type ServiceBroker } from "moleculer";
import { failureDetectorOf } from "./failure-detector.ts";

interface Endpoint {
  id: string;
}

/** One after another, but for nodes that do not answer, while others do. */
export class ChooseNode extends (Strategies.RoundRobin as unknown as new (
  registry: unknown,
  broker: ServiceBroker,
  options: unknown,
) => { select(list: Endpoint[]): Endpoint }) {
  readonly #detector;

  constructor(registry: unknown, broker: ServiceBroker, options: unknown) {
    super(registry, broker, options);
    this.#detector = failureDetectorOf(broker);
  }

  override select(list: Endpoint[]): Endpoint {
    if (this.#detector.suspects === 0) return super.select(list);
    const answering = list.filter(({ id }) => !this.#detector.isSuspect(id));
    return super.select(answering.length > 0 ? answering : list);
  }
}
