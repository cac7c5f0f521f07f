import type { AuditEntry, FieldChange } from "@partline/client";
import type { ReactNode } from "react";
import { DateInput, TextInput, type RaRecord } from "react-admin";
import { Actor } from "../shared/actor.tsx";
import { exactMoment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Cards } from "../shared/cards.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";

const t = texts.audit;

const FILTERS = [
  ...(["actor", "object", "objectId", "action"] as const).map((name) => (
    <TextInput key={name} source={name} label={t[name]} alwaysOn resettable />
  )),
  ...(["from", "to"] as const).map((name) => <DateInput key={name} source={name} label={t[name]} alwaysOn />),
];

/** Who did what. */
export function AuditList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.audit}</HiddenHeading>
      <List title={texts.menu.audit} filters={FILTERS} actions={false} perPage={25}>
        <Cards<AuditEntry & RaRecord> emptyText={t.none} render={entry} />
      </List>
    </>
  );
}

function entry(record: AuditEntry): ReactNode {
  const { id, at: time, actor, adminToken, address, requestId, action, object, objectId, outcome, changes } = record;
  return (
    <Section key={id} component="article" title={`${action} · ${exactMoment(time)}`}>
      <Facts
        facts={[
          [
            t.actor,
            <>
              <Actor name={actor} />
              {adminToken && actor !== "admin" && ` (${t.adminToken})`}
            </>,
          ],
          [t.object, object ?? undefined],
          [t.objectId, objectId ?? undefined],
          [t.outcome, outcome ?? t.unfinished],
          [t.address, address ?? undefined],
          [t.request, requestId],
        ]}
      />
      {changes && changes.length > 0 && <Changes changes={changes} name={`${t.changes}: ${id}`} />}
    </Section>
  );
}

function Changes({ changes, name }: { changes: FieldChange[]; name: string }): ReactNode {
  const text = (value: unknown): string => (value === null ? "–" : JSON.stringify(value));
  return (
    <FiguresTable
      label={name}
      head={[t.field, t.before, t.after]}
      rows={changes.map(({ field, before: oldValue, after }) => [field, text(oldValue), text(after)])}
    />
  );
}
