import type { Task } from "@partline/client";
import type { ReactNode } from "react";
import { SelectInput, TextInput } from "react-admin";
import { count, moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { List } from "../shared/list.tsx";
import { Long } from "../shared/long.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Rows } from "../shared/rows.tsx";
import { RowActions } from "./row-actions.tsx";

const { tasks } = texts;

const FILTERS = [
  <TextInput key="kind" source="kind" label={tasks.kind} alwaysOn />,
  <SelectInput
    key="state"
    source="state"
    label={tasks.state}
    alwaysOn
    choices={(["waiting", "dead"] as const).map((id) => ({ id, name: texts.tasks.states[id] }))}
  />,
];

/** `payment.close:cs_…` by its kind, in words. */
function nameTask(id: string): string {
  const [kind = "", ...key] = id.split(":");
  return [tasks.kinds[kind] ?? kind, key.join(":")].filter(Boolean).join(" · ");
}

/** Work that one process does and that a crash does not lose. */
export function TaskList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.tasks}</HiddenHeading>
      <List filters={FILTERS} actions={false}>
        <Rows<Task>
          label={texts.menu.tasks}
          emptyText={tasks.none}
          name={({ id }) => nameTask(id)}
          columns={[
            [tasks.kind, ({ id }) => <Long>{nameTask(id)}</Long>, "in name"],
            [tasks.state, ({ state }) => tasks.states[state]],
            [tasks.due, ({ due_at }) => moment(due_at)],
            [tasks.attempts, ({ attempts }) => count(attempts)],
            [tasks.reason, ({ reason }) => reason],
          ]}
          actions={({ id, payload, progress }) => (
            <RowActions
              name={id}
              content={{ payload, progress }}
              onRetry={{ label: tasks.retry, done: tasks.retried, run: () => partline.eventstore.retryTask({ id }) }}
              drop={() => partline.eventstore.dropTask({ id })}
            />
          )}
        />
      </List>
    </>
  );
}
