import type { StoredEvent } from "@partline/client";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Slider from "@mui/material/Slider";
import Typography from "@mui/material/Typography";
import { useId, useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { useParams } from "react-router-dom";
import { UserName } from "../shared/actor.tsx";
import { exactMoment } from "../shared/format.ts";
import { Facts } from "../shared/facts.tsx";
import { Payload } from "../shared/payload.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";
import { type ObjectOfRecord, useObjectNames } from "../shared/use-object-names.ts";
import { useReading } from "../shared/use-reading.ts";

const MOST_LISTED = 1_000;
const t = texts.events;

export const toObject = ({ aggregate_type, aggregate_id }: StoredEvent): ObjectOfRecord => ({
  kind: aggregate_type,
  id: aggregate_id,
});

/** The state of an aggregate at any moment of its life. */
export function AggregatePage(): ReactNode {
  const { aggregateId = "" } = useParams();
  const { data, refusal } = useReading(["aggregate", aggregateId], (signal) =>
    partline.eventstore.list({ aggregate_id: aggregateId, limit: MOST_LISTED }, { signal }),
  );
  const events = data?.events;
  const first = events?.[0];
  const objectName = useObjectNames(first ? [toObject(first)] : []).get(aggregateId);
  const userId = first && "userId" in first.data ? first.data.userId : undefined;
  return (
    <Page title={t.stateOf(objectName?.name ?? aggregateId)}>
      {objectName && (
        <Facts
          facts={[
            [
              texts.audit.objectId,
              <Link key="object" to={objectName.path}>
                {objectName.name}
              </Link>,
            ],
            [texts.orders.buyer, typeof userId === "string" && userId !== "guest" && <UserName id={userId} />],
            // The filter takes it.
            [t.aggregate, aggregateId],
          ]}
        />
      )}
      <Refusal error={refusal} />
      {events?.length === 0 && <Alert severity="info">{t.unknown}</Alert>}
      {events?.length === MOST_LISTED && <Alert severity="info">{t.more}</Alert>}
      {events && events.length > 0 && <Life key={aggregateId} aggregateId={aggregateId} events={events} />}
    </Page>
  );
}

function Life({ aggregateId, events }: { aggregateId: string; events: StoredEvent[] }): ReactNode {
  const id = useId();
  const [position, setPosition] = useState(events.length);
  const [chosenPosition, setChosenPosition] = useState(events.length);
  const event = (number: number): StoredEvent => events[number - 1]!;
  const time = event(chosenPosition).timestamp;
  const { data, refusal } = useReading(["state", aggregateId, time], (signal) =>
    partline.eventstore.state({ aggregate_id: aggregateId, at_time: time }, { signal }),
  );
  const words = (number: number): string => {
    const { version, event_type, timestamp } = event(number);
    return t.mark(version, event_type, exactMoment(timestamp));
  };
  return (
    <>
      <Section title={t.state}>
        <Typography id={id}>{`${t.at} ${words(position)}`}</Typography>
        <Box sx={{ px: 1.5 }}>
          <Slider
            aria-labelledby={id}
            getAriaValueText={words}
            min={1}
            max={events.length}
            marks={events.length <= 50}
            value={position}
            disabled={events.length === 1}
            onChange={(_, number) => setPosition(number)}
            onChangeCommitted={(_, number) => setChosenPosition(number)}
          />
        </Box>
        <Refusal error={refusal} />
        {data && (
          <>
            <Typography role="status">{t.version(data.version, event(events.length).version)}</Typography>
            <Box component="pre" tabIndex={0} sx={{ m: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {JSON.stringify(data.state, null, 2)}
            </Box>
          </>
        )}
      </Section>
      <Section title={t.history}>
        <FiguresTable
          label={t.history}
          head={[t.versionName, t.type, t.happened, t.data]}
          rows={events.map(({ version, event_type, timestamp, data: payload, metadata }) => [
            version,
            event_type,
            exactMoment(timestamp),
            <Payload key="data" name={`${event_type} ${version}`} value={{ data: payload, metadata }} />,
          ])}
        />
      </Section>
    </>
  );
}
