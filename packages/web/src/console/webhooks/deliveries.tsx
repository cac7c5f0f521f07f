import type { WebhookDelivery } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Pagination, ReferenceManyField, type RaRecord } from "react-admin";
import { count, exactMoment, moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { Rows } from "../shared/rows.tsx";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Facts } from "../shared/facts.tsx";
import { Unread } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { Attempts } from "./attempts.tsx";
import { readCounts } from "./data.ts";

const AGAIN_MS = 3_000;
const ALL = "all";

/** Lists what was sent to an endpoint, live; deliveries that are repeated appear too, also after a reload. */
export function Deliveries({ endpointId }: { endpointId: string }): ReactNode {
  const [state, setState] = useState(ALL);
  const key = ["deliveries", endpointId];
  const { data: counts, refusal } = useReading(key, (signal) => readCounts(endpointId, signal), {
    everyMs: AGAIN_MS,
  });
  const t = texts.webhooks;
  return (
    <Section title={t.deliveries}>
      <Stack spacing={1}>
        <Refusal error={refusal} />
        {counts && (
          <Facts facts={Object.entries(t.states).map(([name, text]) => [text, count(counts[name as "failed"])])} />
        )}
        <Stack direction="row">
          <ChoiceField
            label={t.state}
            value={state}
            values={[[ALL, t.all], ...Object.entries(t.states)]}
            onChange={setState}
          />
        </Stack>
        <ReferenceManyField
          reference="webhook-deliveries"
          target="endpointId"
          filter={state === ALL ? {} : { state }}
          perPage={10}
          pagination={<Pagination />}
          queryOptions={{ refetchInterval: AGAIN_MS }}
          error={<Unread />}
        >
          <Rows<WebhookDelivery & RaRecord>
            label={t.deliveries}
            emptyText={t.none}
            name={({ type, messageId }) => `${type} · ${messageId}`}
            columns={[
              [t.event, ({ type }) => type, "in name"],
              [t.message, ({ messageId }) => messageId, "in name"],
              [t.state, (delivery) => t.states[delivery.state]],
              [t.happened, ({ occurredAt }) => exactMoment(occurredAt)],
              [t.attempts, ({ attempts }) => count(attempts)],
              [t.next, ({ nextAttemptAt }) => nextAttemptAt && moment(nextAttemptAt)],
              [t.delivered, ({ deliveredAt }) => deliveredAt && exactMoment(deliveredAt)],
            ]}
            actions={(delivery) => <DeliveryActions endpointId={endpointId} delivery={delivery} />}
          />
        </ReferenceManyField>
      </Stack>
    </Section>
  );
}

function DeliveryActions({ endpointId, delivery }: { endpointId: string; delivery: WebhookDelivery }): ReactNode {
  const { messageId, state } = delivery;
  const t = texts.webhooks;
  const mayReplay = useMay()("webhooks:write");
  const [isOpen, setOpen] = useState(false);
  const replay = useAction(t.replayed);
  return (
    <>
      <Stack direction="row" spacing={1}>
        <Button size="small" aria-label={`${t.attempts}: ${messageId}`} onClick={() => setOpen(true)}>
          {t.attempts}
        </Button>
        {mayReplay && state !== "waiting" && (
          <Button
            size="small"
            variant="outlined"
            disabled={replay.isBusy}
            aria-label={`${t.replay}: ${messageId}`}
            onClick={() => replay.act(() => partline.webhook.replayDelivery({ endpointId, messageId }))}
          >
            {t.replay}
          </Button>
        )}
      </Stack>
      <Refusal error={replay.refusal} />
      {isOpen && <Attempts endpointId={endpointId} messageId={messageId} onClose={() => setOpen(false)} />}
    </>
  );
}
