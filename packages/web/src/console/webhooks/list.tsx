import type { WebhookEndpoint } from "@partline/client";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { Link, type RaRecord } from "react-admin";
import { moment } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { Cards } from "../shared/cards.tsx";
import { CreateAction } from "../shared/create-action.tsx";
import { Facts } from "../shared/facts.tsx";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts.ts";

/** Other systems that get events. */
export function WebhookList(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.menu.webhooks}</HiddenHeading>
      <List title={texts.menu.webhooks} actions={<CreateAction scope="webhooks:write" label={texts.webhooks.create} />}>
        <Cards<WebhookEndpoint & RaRecord> emptyText={texts.webhooks.noEndpoint} render={card} />
      </List>
    </>
  );
}

function card(endpoint: WebhookEndpoint): ReactNode {
  const { endpointId, url } = endpoint;
  return (
    <Section key={endpointId} component="article" title={url}>
      <EndpointFacts endpoint={endpoint} />
      <Button
        component={Link}
        to={`/webhooks/${encodeURIComponent(endpointId)}/show`}
        size="small"
        variant="outlined"
        aria-label={`${texts.webhooks.open}: ${url}`}
        sx={{ mt: 1 }}
      >
        {texts.webhooks.open}
      </Button>
    </Section>
  );
}

export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const t = texts.webhooks;
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
        [t.maker, createdBy],
        [t.updated, moment(endpoint.updatedAt)],
      ]}
    />
  );
}
