export type Names = ReturnType<typeof namesFor>;

/** Returns the names on the NATS server; all carry the namespace, so that systems can share a server. */
export function namesFor(namespace: string) {
  const prefix = token(namespace);
  const ofEvents = `${prefix}.event.`;
  return {
    /** The stream of events, and of dead letters that are replayed. */
    events: `${prefix}-events`,
    /** The stream of dead letters. */
    dead: `${prefix}-dead-letters`,
    eventSubject: (channel: string) => `${ofEvents}${channel}`,
    /** A subject that one group alone listens to, for its replayed dead letters. */
    replaySubject: (channel: string, group: string) => `${prefix}.replay.${token(group)}.${channel}`,
    isReplay: (subject: string) => subject.startsWith(`${prefix}.replay.`),
    /** The one place of a dead letter, so that it is never there twice. */
    deadSubject: (deadLetterId: string) => `${prefix}.dead.${Buffer.from(deadLetterId).toString("base64url")}`,
    allEvents: [`${ofEvents}>`, `${prefix}.replay.>`],
    allDead: `${prefix}.dead.*`,
    /** Durable consumer of a group on a channel. */
    consumer: (channel: string, group: string) => `${token(group)}@${token(channel.replaceAll(".", "-"))}`,
    /** The channel and group of a durable consumer; undefined for one that is not ours. */
    memberOf: (consumer: string, subjects: readonly string[]): { channel: string; group: string } | undefined => {
      const channel = subjects.find((subject) => subject.startsWith(ofEvents))?.slice(ofEvents.length);
      const group = consumer.split("@")[0];
      return channel === undefined || !group ? undefined : { channel, group: named(group) };
    },
  };
}

/** A name as one part of a subject, stream name or consumer name: dots, spaces, wildcards and slashes are special there. */
function token(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `=${Buffer.from(name).toString("base64url")}`;
}

function named(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "base64url").toString() : token;
}
