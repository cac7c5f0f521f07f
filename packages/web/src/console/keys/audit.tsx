import type { AuditEntry, FieldChange } from "@partline/client";
import { useState, type ReactNode } from "react";
import { DateInput, Link, TextInput, useListContext, type RaRecord } from "react-admin";
import { useMay } from "../may.ts";
import { nameObstacle, type Obstacle } from "../people/guest.tsx";
import { Actor } from "../shared/actor.tsx";
import { exactMoment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Rows } from "../shared/rows.tsx";
import { Long } from "../shared/long.tsx";
import { Look } from "../shared/look.tsx";
import { LookDialog } from "../shared/look-dialog.tsx";
import { type ObjectName, useObjectNames } from "../shared/use-object-names.ts";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";

const t = texts.audit;

const FILTERS = [
  ...(["actor", "object", "objectId", "action"] as const).map((name) => (
    <TextInput key={name} source={name} label={t[name]} alwaysOn resettable />
  )),
  ...(["from", "to"] as const).map((name) => <DateInput key={name} source={name} label={t[name]} alwaysOn />),
];

/** Lists who did what. */
export function AuditList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.audit}</HiddenHeading>
      <List title={texts.menu.audit} filters={FILTERS} actions={false} perPage={25}>
        <Rows<AuditEntry & RaRecord>
          label={texts.menu.audit}
          emptyText={t.none}
          name={toName}
          columns={[
            [t.time, (entry) => exactMoment(entry.at), "in name"],
            [t.actor, (entry) => <Who entry={entry} />],
            [t.action, ({ action }) => nameAction(action), "in name"],
            [t.objectId, (entry) => (entry.objectId ?? entry.object) !== null && <AuditedObject entry={entry} />],
            [t.outcome, (entry) => <Long>{describeOutcome(entry)}</Long>],
          ]}
          actions={(entry) => <Details entry={entry} />}
        />
      </List>
    </>
  );
}

function toName({ action, at: time }: AuditEntry): string {
  return `${nameAction(action)} · ${exactMoment(time)}`;
}

/** `done: status, shipments`, or `waiting, left to do: to pack`. */
function describeOutcome({ object, outcome, changes }: AuditEntry): string {
  const obstacles = listValues(changes, "waitsFor").map((obstacle) => nameObstacle(obstacle as Obstacle));
  const what = outcome === "waiting" ? obstacles.join(", ") : changes && nameFields(changes);
  return [nameOutcome(object, outcome), what].filter(Boolean).join(": ");
}

/** What only reads has no object, and no outcome. */
function nameOutcome(object: string | null, outcome: string | null): string {
  if (outcome === null) return object === null ? t.read : t.unfinished;
  return outcome === "done" ? t.done : (t.outcomes[outcome] ?? t.describeRefusal(outcome));
}

const nameAction = (action: string): string => t.actions[action] ?? action;

function Who({ entry: { actor, adminToken } }: { entry: AuditEntry }): ReactNode {
  return (
    <>
      <Actor name={actor} />
      {adminToken && actor !== "admin" && ` (${t.adminToken})`}
    </>
  );
}

/** Objects that are named of an entry about many. */
const MOST_NAMED = 3;

/** Returns the texts that a list has now. */
const listValues = (changes: AuditEntry["changes"], list: string): string[] =>
  (changes ?? []).flatMap(({ field, after }) =>
    field.startsWith(`${list}.`) && typeof after === "string" ? [after] : [],
  );

/** Returns the ids of the objects that were marked at once. */
const listMarked = ({ changes }: AuditEntry): string[] => listValues(changes, "marked");

/** What was changed, by its name where it has one, with a link to its page. */
function AuditedObject({ entry }: { entry: AuditEntry }): ReactNode {
  const { object, objectId } = entry;
  const names = useListedNames();
  const mayRead = useMay()("catalog:read");
  const marked = listMarked(entry).map((id) => ({ id, ...names.get(id) }));
  if (objectId === null && marked.length === 0) return nameObject(object);
  if (objectId === null)
    return (
      <>
        {marked.slice(0, MOST_NAMED).map(({ id, name = id, path }) => (
          <div key={id}>{path === undefined ? name : <Link to={path}>{name}</Link>}</div>
        ))}
        {marked.length > MOST_NAMED && t.countMore(marked.length - MOST_NAMED)}
      </>
    );
  const objectName = names.get(objectId);
  if (objectName) return <Link to={objectName.path}>{objectName.name}</Link>;
  if (object === "purchase" && mayRead) return <Link to={`/purchases/${objectId}`}>{nameObject(object)}</Link>;
  if (object === "user" || object === "key") return <Actor name={`${object}:${objectId}`} />;
  return <Long>{`${nameObject(object)} ${objectId}`}</Long>;
}

const nameObject = (object: string | null): string => (object === null ? "" : (t.objects[object] ?? object));

/** Returns the names of all objects of the list. */
function useListedNames(): ReadonlyMap<string, ObjectName> {
  const { data: entries = [] } = useListContext<AuditEntry & RaRecord>();
  return useObjectNames(
    entries.flatMap((entry) => {
      const { object, objectId } = entry;
      const ids = objectId === null ? listMarked(entry).slice(0, MOST_NAMED) : [objectId];
      return object === null ? [] : ids.map((id) => ({ kind: object, id }));
    }),
  );
}

/** The button that opens an entry, with what changed. */
function Details({ entry }: { entry: AuditEntry }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { address, requestId, changes } = entry;
  const name = toName(entry);
  return (
    <>
      <Look name={name} onClick={() => setOpen(true)} />
      {isOpen && (
        <LookDialog title={name} onClose={() => setOpen(false)}>
          <Facts
            facts={[
              [t.actor, <Who key="actor" entry={entry} />],
              // The filter takes it.
              [t.action, entry.action],
              [t.address, address ?? undefined],
              [t.request, requestId],
            ]}
          />
          {changes && changes.length > 0 && <Changes changes={changes} />}
        </LookDialog>
      )}
    </>
  );
}

/** Fields that every change has, and that what is new has beside its own. */
const ALWAYS = ["updatedAt", "version", "slug", "createdAt", "actor", "purchaseId", "vendorName", "edited", "edits"];

/** Names each field of the object once. */
function nameFields(changes: readonly FieldChange[]): string {
  const fields = new Set(changes.map(({ field }) => field.split(".")[0] ?? ""));
  return [...fields]
    .filter((field) => !ALWAYS.includes(field))
    .map((field) => t.fields[field] ?? field)
    .join(", ");
}

function Changes({ changes }: { changes: FieldChange[] }): ReactNode {
  const text = (value: unknown): string => (value === null ? "–" : JSON.stringify(value));
  return (
    <FiguresTable
      label={t.changes}
      head={[t.field, t.before, t.after]}
      rows={changes.map(({ field, before: oldValue, after }) => [field, text(oldValue), text(after)])}
    />
  );
}
