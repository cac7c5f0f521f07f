import type { ChannelEvent, DeadLetter } from "../port.ts";
import { hasApiCode } from "./api-errors.ts";
import type { Link } from "./link.ts";
import { encodeEvent } from "./message.ts";

interface Stored extends Omit<DeadLetter, "event" | "diedAt"> {
  event: Omit<ChannelEvent, "occurred_at"> & { occurred_at: string };
  diedAt: string;
}

interface Found {
  letter: DeadLetter;
  sequence: number;
}

/** What groups gave up, in a stream of its own, each letter under a subject of its own. */
export class DeadLetterStream {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Once, however often. @throws when the stream is full or away: then the event must not be acknowledged */
  async add(letter: DeadLetter): Promise<void> {
    const { js, names } = this.#link;
    await js.publish(names.deadSubject(letter.id), Buffer.from(JSON.stringify(letter)), {
      expect: { streamName: names.dead },
    });
  }

  /** Those that died first come first. */
  async list(limit: number): Promise<DeadLetter[]> {
    const { names } = this.#link;
    const letters: DeadLetter[] = [];
    for (let sequence = 1; letters.length < limit;) {
      const found = await this.#get({ seq: sequence, next_by_subj: names.allDead });
      if (!found) break;
      letters.push(found.letter);
      sequence = found.sequence + 1;
    }
    return letters;
  }

  /** Hands the letter's event to its group alone. */
  async replay(id: string): Promise<boolean> {
    const { js, names } = this.#link;
    const found = await this.#get({ last_by_subj: names.deadSubject(id) });
    if (!found) return false;
    const {
      letter: { channel, group, event },
      sequence,
    } = found;
    // An operator who asks twice at once gets it once.
    await js.publish(names.replaySubject(channel, group), encodeEvent(event), {
      msgID: `replay:${sequence}`,
      expect: { streamName: names.events },
    });
    return this.#remove(sequence);
  }

  async drop(id: string): Promise<boolean> {
    const found = await this.#get({ last_by_subj: this.#link.names.deadSubject(id) });
    return found !== undefined && (await this.#remove(found.sequence));
  }

  async count(): Promise<number> {
    const { jsm, names } = this.#link;
    return (await jsm.streams.info(names.dead)).state.messages;
  }

  async #get(query: { seq: number; next_by_subj: string } | { last_by_subj: string }): Promise<Found | undefined> {
    const { jsm, names } = this.#link;
    try {
      const message = await jsm.streams.getMessage(names.dead, query);
      const { event, diedAt, ...rest } = message.json<Stored>();
      return {
        letter: { ...rest, event: { ...event, occurred_at: new Date(event.occurred_at) }, diedAt: new Date(diedAt) },
        sequence: message.seq,
      };
    } catch (error) {
      if (hasApiCode(error, "noMessage")) return undefined;
      throw error;
    }
  }

  async #remove(sequence: number): Promise<boolean> {
    const { jsm, names } = this.#link;
    try {
      return await jsm.streams.deleteMessage(names.dead, sequence);
    } catch (error) {
      if (hasApiCode(error, "noMessage", "sequenceNotFound")) return false;
      throw error;
    }
  }
}
