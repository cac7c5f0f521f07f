import type { ChannelEvent, DeadLetter } from "../port.ts";
import { hasApiCode } from "./api-errors.ts";
import type { Link } from "./link.ts";
import { encodeEvent } from "./message.ts";

interface Stored extends Omit<DeadLetter, "event" | "diedAt"> {
  event: Omit<ChannelEvent, "occurred_at"> & { occurred_at: string };
  diedAt: string;
}

export type DeadLetterStream = ReturnType<typeof createDeadLetterStream>;

/** Dead letters in a stream of their own, each under its own subject. */
export function createDeadLetterStream({ js, jsm, names }: Link) {
  const find = async (query: { seq: number; next_by_subj: string } | { last_by_subj: string }) => {
    try {
      const message = await jsm.streams.getMessage(names.dead, query);
      const { event, diedAt, ...rest } = message.json<Stored>();
      const occurred_at = new Date(event.occurred_at);
      const letter: DeadLetter = { ...rest, event: { ...event, occurred_at }, diedAt: new Date(diedAt) };
      return { letter, sequence: message.seq };
    } catch (error) {
      if (hasApiCode(error, "noMessage")) return undefined;
      throw error;
    }
  };
  const remove = async (sequence: number): Promise<boolean> => {
    try {
      return await jsm.streams.deleteMessage(names.dead, sequence);
    } catch (error) {
      if (hasApiCode(error, "noMessage", "sequenceNotFound")) return false;
      throw error;
    }
  };
  const withId = (id: string) => find({ last_by_subj: names.deadSubject(id) });

  return {
    /**
     * Adding a letter again changes nothing.
     * @throws if the stream is full or away: then the event must not be acknowledged
     */
    add: async (letter: DeadLetter): Promise<void> => {
      await js.publish(names.deadSubject(letter.id), Buffer.from(JSON.stringify(letter)), {
        expect: { streamName: names.dead },
      });
    },
    /** The oldest deaths first. */
    list: async (limit: number): Promise<DeadLetter[]> => {
      const letters: DeadLetter[] = [];
      for (let sequence = 1; letters.length < limit;) {
        const found = await find({ seq: sequence, next_by_subj: names.allDead });
        if (!found) break;
        letters.push(found.letter);
        sequence = found.sequence + 1;
      }
      return letters;
    },
    replay: async (id: string): Promise<boolean> => {
      const found = await withId(id);
      if (!found) return false;
      const { channel, group, event } = found.letter;
      await js.publish(names.replaySubject(channel, group), encodeEvent(event), {
        msgID: `replay:${found.sequence}`,
        expect: { streamName: names.events },
      });
      return remove(found.sequence);
    },
    drop: async (id: string): Promise<boolean> => {
      const found = await withId(id);
      return found !== undefined && remove(found.sequence);
    },
    count: async (): Promise<number> => (await jsm.streams.info(names.dead)).state.messages,
  };
}
