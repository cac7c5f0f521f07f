/** What an adapter of the channels says of its work; never a payload. */
export interface ChannelsReport {
  /** The store or the transport failed while events were moved; it is tried again. */
  stuck(error: unknown): void;
  /**
   * What is relayed goes to another stream of this name than before: NATS was made anew, or this is not the NATS of the
   * store's other processes.
   */
  otherStream(name: string): void;
  /**
   * What the stream had at this place is no event: something else than Partline wrote it.
   * It is passed over, and nothing waits for it.
   */
  unreadable(message: { channel: string; group: string; sequence: number }): void;
  /**
   * A handler failed. The delivery comes back later, or is a dead letter, or should be one and could not be written
   * down as such: then it comes back too.
   */
  failed(delivery: FailedDelivery, error: unknown): void;
}

export interface FailedDelivery {
  channel: string;
  group: string;
  eventId: string;
  attempts: number;
  outcome: "comes back" | "dead letter" | "dead letter refused";
}
