import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { moment } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { Page } from "../shared/page.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { MailAgain } from "./mail-dialog.tsx";
import { nameMail } from "./mail-names.ts";

const t = texts.mailAgain;
const EVERY_MS = 30_000;

export const useRefusedMails = () =>
  useReading(["refused-mails"], (signal) => partline.mail.listRefused({}, { signal }), { everyMs: EVERY_MS });

/** Says that the mail server takes no mails. */
export function LateMails(): ReactNode {
  const { data } = useRefusedMails();
  return data !== undefined && data.late > 0 && <Alert severity="error">{t.describeLate(data.late)}</Alert>;
}

/** Mails that did not reach a buyer, until somebody has sent them elsewhere or called. */
export function RefusedMailsPage(): ReactNode {
  const mayChange = useMay()("orders:write");
  const { data, refusal } = useRefusedMails();
  return (
    <Page title={texts.queues.mails_refused}>
      <LateMails />
      <ListSection
        title={t.toReach}
        refusal={refusal}
        emptyText={t.none}
        items={data?.mails}
        columns={[
          [
            texts.orders.number,
            ({ orderId, orderNumber }) => <Link to={`/orders/${encodeURIComponent(orderId)}/show`}>{orderNumber}</Link>,
          ],
          [t.mail, ({ kind, isPickup }) => nameMail(kind, isPickup)],
          [t.at, ({ createdAt }) => moment(createdAt)],
          [
            texts.rowActions,
            (mail) => (
              <Stack direction="row" spacing={1}>
                <MailAgain
                  orderId={mail.orderId}
                  mailId={mail.mailId}
                  title={nameMail(mail.kind, mail.isPickup)}
                  name={mail.orderNumber}
                />
                {mayChange && (
                  <Confirmed
                    size="small"
                    label={t.dismiss}
                    name={mail.orderNumber}
                    question={t.dismissQuestion}
                    done={t.dismissed}
                    run={() => partline.mail.dismissRefused({ orderId: mail.orderId, mailId: mail.mailId })}
                  />
                )}
              </Stack>
            ),
          ],
        ]}
      />
    </Page>
  );
}
