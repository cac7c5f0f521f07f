import type { Task } from "@partline/client";
import type { ReactNode } from "react";
import { DataTable, List, SelectInput, TextInput, useRecordContext } from "react-admin";
import { moment } from "../format.ts";
import { partline } from "../partline.ts";
import { en } from "../texts/en.ts";
import { Payload } from "./payload.tsx";
import { RowActions } from "./row-actions.tsx";

const { tasks } = en;

const FILTERS = [
  <TextInput key="kind" source="kind" label={tasks.kind} alwaysOn />,
  <SelectInput
    key="state"
    source="state"
    label={tasks.state}
    alwaysOn
    choices={["waiting", "dead"].map((id) => ({ id, name: id }))}
  />,
];

/** Work that one process does and that a crash does not lose. */
export function TaskList(): ReactNode {
  return (
    <List filters={FILTERS} actions={false} exporter={false} empty={false}>
      <DataTable<Task> bulkActionButtons={false} rowClick={false} expand={<Content />}>
        <DataTable.Col source="kind" label={tasks.kind} disableSort />
        <DataTable.Col source="key" label={tasks.key} disableSort />
        <DataTable.Col source="state" label={tasks.state} disableSort />
        <DataTable.Col<Task> label={tasks.due} render={({ due_at }) => moment(due_at)} />
        <DataTable.Col source="attempts" label={tasks.attempts} disableSort />
        <DataTable.Col source="reason" label={tasks.reason} disableSort />
        <DataTable.Col<Task>
          render={({ id }) => (
            <RowActions
              name={id}
              again={{ label: tasks.retry, done: tasks.retried, run: () => partline.eventstore.retryTask({ id }) }}
              drop={() => partline.eventstore.dropTask({ id })}
            />
          )}
        />
      </DataTable>
    </List>
  );
}

function Content(): ReactNode {
  const task = useRecordContext<Task>();
  return <Payload of={{ payload: task?.payload, progress: task?.progress }} />;
}
