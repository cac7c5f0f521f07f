import type { WebhookEndpoint } from "@partline/client";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { useRecordContext, type RaRecord } from "react-admin";
import { WindowTitle } from "../shared/heading.tsx";
import { Section } from "../shared/section.tsx";
import { Whole } from "../shared/whole.tsx";
import { texts } from "../texts.ts";
import { WebhookActions } from "./actions.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EndpointFacts } from "./list.tsx";

export function WebhookShow(): ReactNode {
  return (
    <Whole title={texts.menu.webhooks}>
      <EndpointPage />
    </Whole>
  );
}

function EndpointPage(): ReactNode {
  const endpoint = useRecordContext<WebhookEndpoint & RaRecord>();
  if (!endpoint) return null;
  return (
    <Stack spacing={2} sx={{ mt: 1 }}>
      <WindowTitle>{endpoint.url}</WindowTitle>
      <Typography component="h1" variant="h5" sx={{ overflowWrap: "anywhere" }}>
        {endpoint.url}
      </Typography>
      <WebhookActions endpoint={endpoint} />
      <Section title={texts.webhooks.state}>
        <EndpointFacts endpoint={endpoint} />
      </Section>
      <Deliveries endpointId={endpoint.endpointId} />
    </Stack>
  );
}
