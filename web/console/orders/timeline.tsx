import type { AdminOrder, Mail, OrderHistory } from "@partline/client";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useEffect, useState, type ReactNode } from "react";
import { moment } from "../format.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";
import { Section } from "./section.tsx";
import { timelineOf } from "./timeline-entries.ts";

interface Told {
  events: OrderHistory["events"];
  mails: Mail[];
}

const NOTHING: Told = { events: [], mails: [] };
/** Events and mails follow a change. */
const AGAIN_MS = 3_000;

export function Timeline({ order }: { order: AdminOrder }): ReactNode {
  const { orderId, version } = order;
  const [told, setTold] = useState(NOTHING);
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const read = async (): Promise<void> => {
      try {
        const [{ events }, { mails }] = await Promise.all([
          partline.order.adminHistory({ orderId }, { signal }),
          partline.mail.listForOrder({ orderId }, { signal }),
        ]);
        setTold({ events, mails });
        setRefusal(undefined);
      } catch (error) {
        if (!signal.aborted) setRefusal(error instanceof Error ? error.message : String(error));
      }
    };
    void read();
    const again = setTimeout(() => void read(), AGAIN_MS);
    return () => {
      clearTimeout(again);
      ended.abort();
    };
  }, [orderId, version]);
  return (
    <Section title={texts.order.timeline}>
      <Refusal of={refusal} />
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {timelineOf(order, told.events, told.mails).map(({ id, at, what, detail, who }) => (
          <Box component="li" key={id} sx={{ borderLeft: 2, borderColor: "divider", pl: 1.5, pb: 1 }}>
            <Typography>{what}</Typography>
            {detail && <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{detail}</Typography>}
            <Typography variant="body2" sx={{ color: "text.secondary" }}>
              {[moment(at), who].filter(Boolean).join(" · ")}
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
