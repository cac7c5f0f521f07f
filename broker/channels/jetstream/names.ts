export type Names = ReturnType<typeof namesFor>;

/** Names on the NATS server, all with the namespace. */
export function namesFor(namespace: string) {
  const prefix = token(namespace);
  const ofEvents = `${prefix}.event.`;
  return {
    /** The stream of events and of replayed dead letters. */
    events: `${prefix}-events`,
    eventSubject: (channel: string) => `${ofEvents}${channel}`,
    replaySubject: (channel: string, group: string) => `${prefix}.replay.${token(group)}.${channel}`,
    isReplay: (subject: string) => subject.startsWith(`${prefix}.replay.`),
    channelOf: (subject: string) => subject.replace(ofEvents, ""),
    allEvents: [`${ofEvents}>`, `${prefix}.replay.>`],
    consumer: (channel: string, group: string) => `${token(group)}@${token(channel.replaceAll(".", "-"))}`,
    /** Another program's consumer has no `@` (docs/guides/events.md). */
    isGroup: (consumer: string) => consumer.includes("@"),
    /** Undefined if it is not ours. */
    memberOf: (consumer: string, subjects: readonly string[]): { channel: string; group: string } | undefined => {
      const channel = subjects.find((subject) => subject.startsWith(ofEvents))?.slice(ofEvents.length);
      const group = consumer.split("@")[0];
      return channel === undefined || !group ? undefined : { channel, group: named(group) };
    },
  };
}

/** For names where dots, spaces, wildcards and slashes are special. */
function token(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `=${Buffer.from(name).toString("base64url")}`;
}

function named(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "base64url").toString() : token;
}
