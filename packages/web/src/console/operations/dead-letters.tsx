import type { DeadLetter } from "@partline/client";
import type { ReactNode } from "react";
import { count, moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { List } from "../shared/list.tsx";
import { Long } from "../shared/long.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Rows } from "../shared/rows.tsx";
import { RowActions } from "./row-actions.tsx";

const { deadLetters } = texts;

/** Events that a consumer, and tasks that a handler, gave up. */
export function DeadLetterList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.deadLetters}</HiddenHeading>
      <List actions={false} sx={{ mt: 2 }}>
        <Rows<DeadLetter>
          label={texts.menu.deadLetters}
          emptyText={deadLetters.none}
          name={toName}
          columns={[
            [deadLetters.channel, ({ channel }) => channel, "in name"],
            [deadLetters.group, ({ group }) => group],
            [deadLetters.reason, ({ reason }) => <Long>{reason}</Long>],
            [deadLetters.attempts, ({ attempts }) => count(attempts)],
            [deadLetters.died, ({ died_at }) => moment(died_at)],
          ]}
          actions={(letter) => (
            <RowActions
              name={toName(letter)}
              content={letter.payload}
              onRetry={{
                label: deadLetters.replay,
                done: deadLetters.replayed,
                run: () => partline.eventstore.replayDeadLetter({ id: letter.id }),
              }}
              drop={() => partline.eventstore.dropDeadLetter({ id: letter.id })}
            />
          )}
        />
      </List>
    </>
  );
}

function toName({ channel, id }: DeadLetter): string {
  return `${channel} ${id}`;
}
