import type { OrderQueueCount } from "@partline/client";
import Card from "@mui/material/Card";
import CardActionArea from "@mui/material/CardActionArea";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LateMails, useRefusedMails } from "./refused-mails.tsx";

export type Queue = OrderQueueCount["queue"];

const REFUSED_MAILS = "/refused-mails";

const EVERY_MS = 30_000;

/** What waits, how much of it, and the page that lists it. */
function useQueues() {
  const orders = useReading(["order-queues"], (signal) => partline.order.adminQueues({}, { signal }), {
    everyMs: EVERY_MS,
  });
  const mails = useRefusedMails();
  const queues = [
    ...(orders.data?.queues.map(({ queue, count }) => ({ queue, count, to: toAddress(queue) })) ?? []),
    ...(mails.data ? [{ queue: "mails_refused" as const, count: mails.data.count, to: REFUSED_MAILS }] : []),
  ];
  return { queues, refusal: orders.refusal ?? mails.refusal };
}

/** The queue that a list's address names. */
export function findQueue(search: string): Queue | undefined {
  const name = new URLSearchParams(search).get("queue") ?? "";
  return name in texts.queues && name !== "mails_refused" ? (name as Queue) : undefined;
}

const toAddress = (queue: Queue): string => `/orders?queue=${queue}`;

/** The first page: what waits for the shop, and how much of it. */
export function HomePage(): ReactNode {
  const { queues, refusal } = useQueues();
  return (
    <Page title={texts.home.title}>
      <LateMails />
      <FirstSteps />
      <Refusal error={refusal} />
      <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: "repeat(auto-fill, minmax(min(11rem, 46%), 1fr))" }}>
        {queues.map(({ queue, count, to }) => (
          <Card key={queue} variant="outlined" sx={{ opacity: count === 0 ? 0.75 : 1 }}>
            <CardActionArea component={Link} to={to} sx={{ p: 2, height: "100%" }}>
              <Typography variant="h4" component="p">
                {count}
              </Typography>
              <Typography>{texts.queues[queue]}</Typography>
            </CardActionArea>
          </Card>
        ))}
      </Box>
    </Page>
  );
}

/** Leads from one queue to another, and to the list of all that is to do. */
export function QueueLinks({ current }: { current: Queue | undefined }): ReactNode {
  const { queues } = useQueues();
  const links = [
    { queue: undefined, label: texts.home.all, to: "/orders" },
    ...queues
      .filter(({ queue, count }) => count > 0 || queue === current)
      .map(({ queue, count, to }) => ({ queue, label: `${texts.queues[queue]} ${count}`, to })),
  ];
  return (
    <Stack
      component="nav"
      direction="row"
      spacing={0.5}
      useFlexGap
      aria-label={texts.home.title}
      sx={{ flexWrap: "wrap", my: 1 }}
    >
      {links.map(({ queue, label, to }) => (
        <Chip
          key={to}
          clickable
          component={Link}
          to={to}
          label={label}
          variant={queue === current ? "filled" : "outlined"}
          color={queue === current ? "primary" : "default"}
          aria-current={queue === current ? "page" : undefined}
        />
      ))}
    </Stack>
  );
}
