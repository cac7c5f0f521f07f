import type { WebhookEndpoint } from "@partline/client";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { Link, type RaRecord } from "react-admin";
import { moment } from "../shared/format.ts";
import { Actor } from "../shared/actor.tsx";
import { HiddenHeading } from "../shared/heading.tsx";
import { Rows } from "../shared/rows.tsx";
import { CreateAction } from "../shared/create-action.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Long } from "../shared/long.tsx";
import { texts } from "../texts.ts";

const t = texts.webhooks;

/** Other systems that get events. */
export function WebhookList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.webhooks}</HiddenHeading>
      <List title={texts.menu.webhooks} actions={<CreateAction scope="webhooks:write" label={t.create} />}>
        <Rows<WebhookEndpoint & RaRecord>
          label={texts.menu.webhooks}
          emptyText={t.noEndpoint}
          name={({ url }) => url}
          columns={[
            [t.url, ({ url }) => <Long>{url}</Long>, "in name"],
            [t.state, ({ disabled }) => (disabled ? t.disabled : t.enabled)],
            [t.events, ({ eventTypes }) => eventTypes.join(", ")],
            [t.description, ({ description }) => description],
            [t.failingSince, ({ failingSince }) => failingSince && moment(failingSince)],
          ]}
          actions={({ endpointId, url }) => (
            <Button
              component={Link}
              to={`/webhooks/${encodeURIComponent(endpointId)}/show`}
              size="small"
              variant="outlined"
              aria-label={`${t.open}: ${url}`}
            >
              {t.open}
            </Button>
          )}
        />
      </List>
    </>
  );
}

export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { description, eventTypes, ordered, disabled, disabledReason, failingSince, secretExpiresAt, createdBy } =
    endpoint;
  return (
    <Facts
      facts={[
        [t.state, disabled ? t.disabled : t.enabled],
        [t.why, disabledReason && t.reasons[disabledReason]],
        [t.failingSince, failingSince && moment(failingSince)],
        [t.description, description],
        [t.events, eventTypes.join(", ")],
        [t.ordered, ordered ? texts.yes : texts.no],
        [t.oldSecretUntil, secretExpiresAt && moment(secretExpiresAt)],
        [t.created, moment(endpoint.createdAt)],
        [t.maker, createdBy && <Actor key="maker" name={createdBy} />],
        [t.updated, moment(endpoint.updatedAt)],
      ]}
    />
  );
}
