export type Names = ReturnType<typeof namesFor>;

/** Names on the NATS server, all with the namespace, so that systems can share a server. */
export function namesFor(namespace: string) {
  const prefix = token(namespace);
  const ofEvents = `${prefix}.event.`;
  return {
    /** The stream of events and of replayed dead letters. */
    events: `${prefix}-events`,
    eventSubject: (channel: string) => `${ofEvents}${channel}`,
    /** A subject of one group alone, for its replayed dead letters. */
    replaySubject: (channel: string, group: string) => `${prefix}.replay.${token(group)}.${channel}`,
    isReplay: (subject: string) => subject.startsWith(`${prefix}.replay.`),
    /** The channel of an event's subject; a replay's subject is none. */
    channelOf: (subject: string) => subject.replace(ofEvents, ""),
    allEvents: [`${ofEvents}>`, `${prefix}.replay.>`],
    consumer: (channel: string, group: string) => `${token(group)}@${token(channel.replaceAll(".", "-"))}`,
    /** Whether a durable consumer is a group's; another program's has no `@` (docs/guides/events.md). */
    isGroup: (consumer: string) => consumer.includes("@"),
    /** The channel and group of a durable consumer; undefined if it is not ours. */
    memberOf: (consumer: string, subjects: readonly string[]): { channel: string; group: string } | undefined => {
      const channel = subjects.find((subject) => subject.startsWith(ofEvents))?.slice(ofEvents.length);
      const group = consumer.split("@")[0];
      return channel === undefined || !group ? undefined : { channel, group: named(group) };
    },
  };
}

/**
 * A name as part of a subject or of a stream's or consumer's name, where dots, spaces, wildcards and slashes are
 * special.
 */
function token(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `=${Buffer.from(name).toString("base64url")}`;
}

function named(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "base64url").toString() : token;
}
