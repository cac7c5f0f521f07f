import type { DeadLetter } from "@partline/client";
import type { ReactNode } from "react";
import { DataTable, List, useRecordContext } from "react-admin";
import { moment } from "../format.ts";
import { partline } from "../partline.ts";
import { en } from "../texts/en.ts";
import { Payload } from "./payload.tsx";
import { RowActions } from "./row-actions.tsx";

const { deadLetters } = en;

/** Events that a consumer, and tasks that a handler, gave up. */
export function DeadLetterList(): ReactNode {
  return (
    <List actions={false} exporter={false} empty={false}>
      <DataTable<DeadLetter> bulkActionButtons={false} rowClick={false} expand={<Letter />}>
        <DataTable.Col source="channel" label={deadLetters.channel} disableSort />
        <DataTable.Col source="group" label={deadLetters.group} disableSort />
        <DataTable.Col source="attempts" label={deadLetters.attempts} disableSort />
        <DataTable.Col source="reason" label={deadLetters.reason} disableSort />
        <DataTable.Col<DeadLetter> label={deadLetters.died} render={({ died_at }) => moment(died_at)} />
        <DataTable.Col<DeadLetter>
          render={({ id, channel }) => (
            <RowActions
              name={`${channel} ${id}`}
              again={{
                label: deadLetters.replay,
                done: deadLetters.replayed,
                run: () => partline.eventstore.replayDeadLetter({ id }),
              }}
              drop={() => partline.eventstore.dropDeadLetter({ id })}
            />
          )}
        />
      </DataTable>
    </List>
  );
}

function Letter(): ReactNode {
  return <Payload of={useRecordContext<DeadLetter>()?.payload} />;
}
