import type { DeadLetter } from "@partline/client";
import type { ReactNode } from "react";
import { moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { Cards } from "../shared/cards.tsx";
import { RowActions } from "./row-actions.tsx";

const { deadLetters } = texts;

/** Events that a consumer, and tasks that a handler, gave up. */
export function DeadLetterList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.deadLetters}</HiddenHeading>
      <List actions={false} sx={{ mt: 2 }}>
        <Cards<DeadLetter> emptyText={deadLetters.none} render={letter} />
      </List>
    </>
  );
}

function letter({ id, channel, group, attempts, reason, died_at, payload }: DeadLetter): ReactNode {
  return (
    <Section key={id} component="article" title={`${channel} · ${id}`}>
      <Facts
        facts={[
          [deadLetters.group, group],
          [deadLetters.attempts, String(attempts)],
          [deadLetters.reason, reason],
          [deadLetters.died, moment(died_at)],
        ]}
      />
      <RowActions
        name={`${channel} ${id}`}
        content={payload}
        onRetry={{
          label: deadLetters.replay,
          done: deadLetters.replayed,
          run: () => partline.eventstore.replayDeadLetter({ id }),
        }}
        drop={() => partline.eventstore.dropDeadLetter({ id })}
      />
    </Section>
  );
}
