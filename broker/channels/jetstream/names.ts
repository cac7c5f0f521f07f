/** Names on the NATS server; all carry the namespace, so that systems share a server without meeting. */
export interface Names {
  /** The stream of events, and of dead letters that are handed out again. */
  events: string;
  /** The stream of dead letters. */
  dead: string;
  /** What the events of a channel are published to. */
  eventSubject(channel: string): string;
  /** What a group alone listens to: its dead letters that are replayed. */
  replaySubject(channel: string, group: string): string;
  isReplay(subject: string): boolean;
  /** Of the dead letter with this id: it has one place, so that the same letter is never there twice. */
  deadSubject(deadLetterId: string): string;
  allEvents: string[];
  allDead: string;
  /** Durable consumer of a group on a channel. */
  consumer(channel: string, group: string): string;
  /** Whose durable consumer has this name and listens to these subjects; undefined for one that is not of ours. */
  memberOf(consumer: string, subjects: readonly string[]): { channel: string; group: string } | undefined;
}

export function namesFor(namespace: string): Names {
  const prefix = token(namespace);
  return {
    events: `${prefix}-events`,
    dead: `${prefix}-dead-letters`,
    eventSubject: (channel) => `${prefix}.event.${channel}`,
    replaySubject: (channel, group) => `${prefix}.replay.${token(group)}.${channel}`,
    isReplay: (subject) => subject.startsWith(`${prefix}.replay.`),
    deadSubject: (id) => `${prefix}.dead.${Buffer.from(id).toString("base64url")}`,
    allEvents: [`${prefix}.event.>`, `${prefix}.replay.>`],
    allDead: `${prefix}.dead.*`,
    consumer: (channel, group) => `${token(group)}@${token(channel.replaceAll(".", "-"))}`,
    memberOf: (consumer, subjects) => {
      const own = `${prefix}.event.`;
      const channel = subjects.find((subject) => subject.startsWith(own))?.slice(own.length);
      const group = consumer.split("@")[0];
      return channel === undefined || !group ? undefined : { channel, group: named(group) };
    },
  };
}

/**
 * A name as one part of a subject, of a stream's or of a consumer's name: dots, spaces, wildcards and slashes have
 * meanings there.
 */
function token(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `=${Buffer.from(name).toString("base64url")}`;
}

function named(token: string): string {
  return token.startsWith("=") ? Buffer.from(token.slice(1), "base64url").toString() : token;
}
