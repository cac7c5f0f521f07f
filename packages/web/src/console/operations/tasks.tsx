import type { Task } from "@partline/client";
import type { ReactNode } from "react";
import { SelectInput, TextInput } from "react-admin";
import { moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Cards } from "../shared/cards.tsx";
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

/** Work that one process does and that a crash does not lose. */
export function TaskList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.tasks}</HiddenHeading>
      <List filters={FILTERS} actions={false}>
        <Cards<Task> emptyText={tasks.none} render={card} />
      </List>
    </>
  );
}

function card({ id, key, state, due_at, attempts, reason, payload, progress }: Task): ReactNode {
  return (
    <Section key={id} component="article" title={id}>
      <Facts
        facts={[
          [tasks.key, key],
          [tasks.state, tasks.states[state]],
          [tasks.due, moment(due_at)],
          [tasks.attempts, String(attempts)],
          [tasks.reason, reason],
        ]}
      />
      <RowActions
        name={id}
        content={{ payload, progress }}
        onRetry={{ label: tasks.retry, done: tasks.retried, run: () => partline.eventstore.retryTask({ id }) }}
        drop={() => partline.eventstore.dropTask({ id })}
      />
    </Section>
  );
}
