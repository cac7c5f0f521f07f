import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { exactMoment } from "../shared/format.ts";
import { Long } from "../shared/long.tsx";
import { Payload } from "../shared/payload.tsx";
import { Page } from "../shared/page.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";
import { useObjectNames } from "../shared/use-object-names.ts";
import { toObject } from "./aggregate.tsx";
import { useTail, type EventFilter } from "./use-tail.ts";

const t = texts.events;

const FIELDS = [
  ["aggregate_type", t.kind],
  ["aggregate_id", t.aggregate],
  ["event_type", t.type],
] as const satisfies [keyof EventFilter, string][];

/** The event store as it grows. The address /events is the API's. */
export function EventsPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [isPaused, setPaused] = useState(false);
  const filter = Object.fromEntries([...search].filter(([name]) => FIELDS.some(([field]) => field === name)));
  const { events, refusal } = useTail(filter as EventFilter, isPaused);
  const names = useObjectNames(events.map(toObject));
  return (
    <Page title={texts.menu.events}>
      <Stack
        component="form"
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ flexWrap: "wrap", alignItems: "center" }}
        onSubmit={(event: React.SyntheticEvent<HTMLFormElement>) => {
          event.preventDefault();
          setPaused(false);
          const fields = [...new FormData(event.currentTarget)] as [string, string][];
          setSearch(fields.map(([name, text]): [string, string] => [name, text.trim()]).filter(([, text]) => text));
        }}
      >
        {FIELDS.map(([name, label]) => (
          <TextField
            key={`${name} ${search.get(name)}`}
            size="small"
            name={name}
            label={label}
            defaultValue={search.get(name) ?? ""}
            sx={{ width: "14rem" }}
          />
        ))}
        <Button type="submit" variant="contained">
          {t.show}
        </Button>
        <Button variant="outlined" onClick={() => setPaused(!isPaused)}>
          {isPaused ? t.resume : t.pause}
        </Button>
        {refusal === undefined && (
          <Chip
            size="small"
            role="status"
            variant="outlined"
            color={isPaused ? "warning" : "success"}
            label={isPaused ? t.paused : t.live}
          />
        )}
      </Stack>
      <Typography variant="body2">{t.earlier}</Typography>
      <Refusal error={refusal} />
      <FiguresTable
        label={texts.menu.events}
        head={[t.position, t.happened, t.type, t.kind, t.aggregate, t.data]}
        keys={events.map(({ position }) => position)}
        rows={events.map(
          ({ position, timestamp, event_type, aggregate_type, aggregate_id, version, data, metadata }) => [
            position,
            exactMoment(timestamp),
            event_type,
            aggregate_type,
            <Link key="aggregate" to={`/event-log/${encodeURIComponent(aggregate_id)}`}>
              <Long>{`${names.get(aggregate_id)?.name ?? aggregate_id} · ${version}`}</Long>
            </Link>,
            <Payload key="data" name={`${event_type} ${position}`} value={{ data, metadata }} />,
          ],
        )}
      />
    </Page>
  );
}
