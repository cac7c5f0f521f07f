import { omitPersonal, type DurableEvents } from "@partline/api-contracts";
import { limitToMessage } from "../../../broker/contract/message.ts";
import {
  type Channels,
  ChannelsUnavailable,
  type DeadLetter,
  type Task,
  type TaskFilter,
  type Tasks,
} from "@partline/durable";
import { notFound, PartlineError } from "../../../mixins/errors.ts";

type InPath = { params: { id: string } };

interface Deps {
  channels: Pick<Channels, "deadLetters" | "replay" | "drop">;
  tasks: Pick<Tasks, "list" | "retry" | "drop" | "find">;
  events: DurableEvents;
}

/** Creates the actions of operators, for which dead events and dead tasks are one list. */
export function createOperatorActions({ channels, tasks, events }: Deps) {
  /** Asks the tasks first, since they need no NATS. @throws NOT_FOUND */
  const settle = async (id: string, how: "replay" | "drop"): Promise<true> => {
    const isTask = (await tasks.find(id))?.state === "dead";
    const done = isTask ? await tasks[how === "replay" ? "retry" : "drop"](id) : await channels[how](id).catch(refuse);
    if (!done) throw notFound("Dead letter", id);
    return true;
  };
  const present = ({ id, channel, group, event, attempts, reason, diedAt }: DeadLetter) => {
    const { event_id, occurred_at } = event;
    const payload = omitPersonal(events.get(channel)?.payload ?? {}, event.payload);
    return { id, channel, group, event_id, occurred_at, payload, attempts, reason, died_at: diedAt };
  };
  return {
    deadLetters: async ({ params: { limit } }: { params: { limit: number } }) => {
      const [letters, dead] = await Promise.all([
        channels.deadLetters(limit).catch(refuse),
        tasks.list({ state: "dead", limit }),
      ]);
      return { dead_letters: limitToMessage([...letters.map(present), ...dead.map(toDeadLetter)].slice(0, limit)) };
    },
    replayDeadLetter: async ({ params: { id } }: InPath) => ({ id, replayed: await settle(id, "replay") }),
    dropDeadLetter: async ({ params: { id } }: InPath) => ({ id, dropped: await settle(id, "drop") }),
    tasks: async ({ params }: { params: TaskFilter }) => ({
      tasks: limitToMessage((await tasks.list(params)).map(presentTask)),
    }),
    task: async ({ params: { id } }: InPath) => {
      const task = await tasks.find(id);
      if (!task) throw notFound("Task", id);
      return presentTask(task);
    },
    retryTask: async ({ params: { id } }: InPath) => {
      if (!(await tasks.retry(id))) throw notFound("Task", id);
      return { id, retried: true };
    },
    dropTask: async ({ params: { id } }: InPath) => {
      if (!(await tasks.drop(id))) throw notFound("Task", id);
      return { id, dropped: true };
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof ChannelsUnavailable)) throw error;
  throw new PartlineError("SERVICE_UNAVAILABLE", "The durable channels do not answer", undefined, { cause: error });
}

function toDeadLetter({ id, kind, key, payload, attempts, reason = "", dueAt, diedAt = dueAt }: Task) {
  const died = { channel: kind, group: "tasks", event_id: key, occurred_at: dueAt, died_at: diedAt };
  return { id, payload, attempts, reason, ...died };
}

function presentTask({ dueAt, diedAt, ...task }: Task) {
  return { ...task, due_at: dueAt, died_at: diedAt };
}
