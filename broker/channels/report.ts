/** Never has a payload. */
export interface ChannelsReport {
  /** It is tried again. */
  stuck(error: unknown): void;
  otherStream(name: string): void;
  /** It is skipped. */
  unreadable(message: { channel: string; group: string; sequence: number }): void;
  failed(delivery: FailedDelivery, error: unknown): void;
}

export interface FailedDelivery {
  channel: string;
  group: string;
  eventId: string;
  attempts: number;
  outcome: "comes back" | "dead letter";
}
