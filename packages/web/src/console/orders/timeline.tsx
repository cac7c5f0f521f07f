import type { AdminOrder } from "@partline/client";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { Actor } from "../shared/actor.tsx";
import { moment } from "../shared/format.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { MailAgain } from "./mail-dialog.tsx";
import { buildTimeline } from "./timeline-entries.ts";

/** Events and mails follow a change. */
const AGAIN_MS = 3_000;

export function Timeline({ order }: { order: AdminOrder }): ReactNode {
  const { orderId, version } = order;
  const { data, refusal } = useReading(
    ["timeline", orderId, version],
    async (signal) => {
      const [{ events }, { mails }] = await Promise.all([
        partline.order.adminHistory({ orderId }, { signal }),
        partline.mail.listForOrder({ orderId }, { signal }),
      ]);
      return { events, mails };
    },
    { everyMs: AGAIN_MS },
  );
  return (
    <Section title={texts.order.timeline}>
      <Refusal error={refusal} />
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {buildTimeline(order, data?.events ?? [], data?.mails ?? []).map(({ id, time, what, detail, who, mail }) => (
          <Box component="li" key={id} sx={{ borderLeft: 2, borderColor: "divider", pl: 1.5, pb: 1 }}>
            <Typography>{what}</Typography>
            {detail && !mail && (
              <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{detail}</Typography>
            )}
            <Typography component="div" variant="body2" sx={{ color: "text.secondary" }}>
              {mail && `${detail} · `}
              {moment(time)}
              {who && (
                <>
                  {" · "}
                  <Actor name={who} />
                </>
              )}
              {mail && mail.state !== "waiting" && (
                <MailAgain orderId={orderId} mailId={mail.mailId} title={what} name={what} />
              )}
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
