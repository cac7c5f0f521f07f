/** Reports of the channels' work; never a payload. */
export interface ChannelsReport {
  /** The store or the transport failed; it is tried again. */
  stuck(error: unknown): void;
  /** Events go to another stream of this name than before. */
  onOtherStream(name: string): void;
  /** No process of this system has signed the event; it stays in the stream. */
  unsigned(error: unknown): void;
  /** The message at this place is no event of Partline; it is skipped. */
  onUnreadable(message: { channel: string; group: string; sequence: number }): void;
  /** A handler failed: the delivery comes back, or is a dead letter. */
  onFailed(delivery: FailedDelivery, error: unknown): void;
}

export interface FailedDelivery {
  channel: string;
  group: string;
  eventId: string;
  attempts: number;
  outcome: "comes back" | "dead letter";
}
