export type Names = ReturnType<typeof createNames>;

/** Names on the NATS server, all with the namespace, so that systems can share a server. */
export function createNames(namespace: string) {
  const prefix = toToken(namespace);
  const eventPrefix = `${prefix}.event.`;
  return {
    /** The stream of events and of replayed dead letters. */
    events: `${prefix}-events`,
    toEventSubject: (channel: string) => `${eventPrefix}${channel}`,
    /** A subject of one group alone, for its replayed dead letters. */
    replaySubject: (channel: string, group: string) => `${prefix}.replay.${toToken(group)}.${channel}`,
    isReplay: (subject: string) => subject.startsWith(`${prefix}.replay.`),
    /** The channel of an event's subject; a replay's subject is none. */
    toChannel: (subject: string) => subject.replace(eventPrefix, ""),
    allEvents: [`${eventPrefix}>`, `${prefix}.replay.>`],
    toConsumer: (channel: string, group: string) => `${toToken(group)}@${toToken(channel.replaceAll(".", "-"))}`,
    /** Returns whether a durable consumer is a group's; another program's has no `@` (docs/guides/events.md). */
    isGroup: (consumer: string) => consumer.includes("@"),
    /** The channel and group of a durable consumer; undefined if it is not ours. */
    findMember: (consumer: string, subjects: readonly string[]): { channel: string; group: string } | undefined => {
      const channel = subjects.find((subject) => subject.startsWith(eventPrefix))?.slice(eventPrefix.length);
      const group = consumer.split("@")[0];
      return channel === undefined || !group ? undefined : { channel, group: fromToken(group) };
    },
  };
}

/**
 * A name as part of a subject or of a stream's or consumer's name, where dots, spaces, wildcards and slashes are
 * special.
 */
function toToken(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `=${Buffer.from(name).toString("base64url")}`;
}

function fromToken(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "base64url").toString() : token;
}
