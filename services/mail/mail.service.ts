import { randomUUID } from "node:crypto";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ChannelEvent, ChannelHandler } from "@partline/durable";
import { presentFields, type Infer } from "@partline/api-contracts";
import { getCaller, createId } from "../../broker/contract/context.ts";
import { hasScope } from "../../broker/contract/scopes.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { createMailOffError, notFound, PartlineError } from "../../mixins/errors.ts";
import { createSignedTokens } from "../../mixins/http/signed-token.ts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { type Events, implement, type OrderChannel } from "../contracts.ts";
import { KINDS, type Kind, NEWS, mailContract, mailRule } from "./contract.ts";
import { CAUSES } from "./kinds.ts";
import { loadTemplates, writeLetterhead, writeNotice } from "./letter.ts";
import { createMailRecords, LINK_MAIL, type MailRecord } from "./records.ts";
import {
  createMailSender,
  createMailTransport,
  findShopAddress,
  isRefusal,
  removeAddress,
  signMail,
} from "./sending.ts";

/** Time in which an order's link is mailed once, however often it is asked for; milliseconds. */
const LINK_MAILED_MS = 15 * 60_000;

export default function mailService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, tasks } = getServiceRuntime(broker);
  const mails = createMailRecords(documents, () => tasks.wake());
  const transport = settings.mail && createMailTransport(settings.mail);
  const templates = settings.mail && loadTemplates(settings.mail.templates);
  const tokens = createSignedTokens(documents);
  const logger = broker.getLogger("mail");
  let from = new Date(0);
  let hasEarly = false;

  const getShopAddress = () => settings.mail && findShopAddress(settings.mail, settings.shop);
  const isSwitchedOff = (kind: Kind): boolean => NEWS.includes(kind) && settings.shop.newOrderMails === "off";

  /** @throws NOT_FOUND */
  async function getMail({ orderId, mailId }: { orderId: string; mailId: string }): Promise<MailRecord> {
    const mail = await mails.find(mailId);
    if (mail?.orderId !== orderId) throw notFound("Mail", mailId);
    return mail;
  }

  /** A new group gets the events of the last seven days, about which nobody awaits a mail any more. */
  const isEarly = ({ occurred_at }: Pick<ChannelEvent, "occurred_at">): boolean => {
    if (occurred_at >= from) return false;
    if (!hasEarly) logger.warn("Events of before mail was switched on cause no mail");
    hasEarly = true;
    return true;
  };

  /** Stores the mails of an event, each once. Without SMTP_URL nothing is sent. */
  const createHandler = <C extends OrderChannel>(channel: C) => ({
    group: "mail",
    async handler({ v, event_id, occurred_at, payload }: ChannelEvent<Events[C]>) {
      if (!settings.mail || isEarly({ occurred_at })) return;
      // Events of 0.2.0, which sent no mails, cause none.
      if (v < 2 && !("toShip" in payload)) return;
      const causes = CAUSES[channel](payload).filter(
        ({ kind }) => KINDS[kind] === "buyer" || (getShopAddress() && !isSwitchedOff(kind)),
      );
      await mails.add(
        payload.orderId,
        causes.map((cause) => ({ ...cause, mailId: `${event_id}:${cause.kind}` })),
      );
    },
  });

  const orderChannels = Object.fromEntries(
    (Object.keys(CAUSES) as OrderChannel[]).map((channel) => [channel, createHandler(channel)]),
  ) as { [C in OrderChannel]: ChannelHandler<Events[C]> };

  return implement(mailContract, {
    actions: {
      listForOrder: async (ctx) => ({ mails: (await mails.findByOrder(ctx.params.orderId)).map(present) }),
      async listRefused() {
        const [count, late, refusedMails] = await Promise.all([
          mails.countOpenRefusals(),
          mails.countLate(),
          mails.listRefused(),
        ]);
        return {
          ...{ count, late },
          mails: refusedMails.map(({ orderId = "", refusedOf = "", isPickup = false, ...mail }) => ({
            ...present(mail),
            orderId,
            orderNumber: refusedOf,
            isPickup,
          })),
        };
      },
      async dismissRefused({ params }) {
        const mail = await getMail(params);
        await mails.closeRefusal(params.mailId);
        return present(mail);
      },
      async sendSignInLink({ params: { email: address, language, ...view } }) {
        if (!templates || !transport || !settings.mail) throw createMailOffError();
        const head = writeLetterhead({ ...settings.shop, storeUrl: settings.storeUrl });
        const letter = writeNotice(templates, "sign-in", { ...view, ...head }, language);
        try {
          await transport.post({ ...letter, to: { address }, ...signMail(randomUUID(), settings.shop, settings.mail) });
        } catch (error) {
          logger.warn("A sign-in link could not be sent", removeAddress(error));
          if (isRefusal(error)) return { accepted: false };
          throw new PartlineError("SERVICE_UNAVAILABLE", "The mail cannot be sent now: try again in a moment");
        }
        return { accepted: true };
      },
      countRefused: async ({ params: { since } }) => ({
        refused: await mails.countRefused(since),
        late: await mails.countLate(),
      }),
      async reportIncident({ params: { incidentId, startedAt, endedAt, ...texts } }) {
        if (!getShopAddress() || !settings.mail?.alerts) return {};
        const incident = {
          ...texts,
          startedAt: formatMoment(startedAt),
          ...(endedAt ? { endedAt: formatMoment(endedAt) } : {}),
        };
        const mailId = `incident:${incidentId}:${endedAt ? "ended" : "open"}`;
        await mails.add(undefined, [{ kind: "incident", facts: { incident }, mailId }]);
        return {};
      },
      async sendAgain(ctx) {
        const { orderId, mailId, to } = ctx.params;
        if (to !== undefined && !hasScope(getCaller(ctx), "orders:refund"))
          throw new PartlineError(
            "FORBIDDEN",
            "Sending to another address needs the scope orders:refund, because the link can cancel the order",
          );
        if (!settings.mail) throw createMailOffError();
        const { kind, facts } = await getMail(ctx.params);
        const newMailId = `${createId(ctx)}:${kind}`;
        await mails.add(orderId, [{ kind, facts, mailId: newMailId, to }]);
        await mails.closeRefusal(mailId);
        return present((await mails.find(newMailId))!);
      },
    },
    channels: {
      ...orderChannels,
      "webhook.disabled": {
        group: "mail",
        async handler({ event_id, occurred_at, payload: endpoint }) {
          if (!getShopAddress() || isEarly({ occurred_at })) return;
          const kind = "webhook-disabled";
          await mails.add(undefined, [{ kind, facts: { endpoint }, mailId: `${event_id}:${kind}` }]);
        },
      },
    },
    tasks: {
      "mail.sendLink": {
        async run({ orderId }) {
          const kind = "order-link";
          if (orderId === undefined || !settings.mail) return;
          const time = Date.now();
          if (await mails.hasLinkSince(orderId, new Date(time - LINK_MAILED_MS))) return;
          // Of two requests at once, one makes the mail.
          const mailId = `${LINK_MAIL}${orderId}:${Math.floor(time / LINK_MAILED_MS)}`;
          await mails.add(orderId, [{ kind, facts: {}, mailId }]);
        },
      },
      "mail.send":
        settings.mail && templates && transport
          ? createMailSender({
              broker,
              mails,
              settings: settings.mail,
              shop: settings.shop,
              storeUrl: settings.storeUrl,
              consoleUrl: settings.consoleUrl,
              tokens,
              templates,
              transport,
            })
          : { run: () => Promise.reject(new Error("No mail is sent: SMTP_URL is off")) },
    },
    async started() {
      transport?.verify().catch((error: unknown) => {
        logger.warn("SMTP_URL: the mail server cannot be used now, and mails wait", removeAddress(error));
      });
      if (settings.mail) from = await mails.getStart();
      else logger.warn("No mail is sent to buyers or the shop: SMTP_URL is off");
    },
    stopped: () => Promise.resolve(transport?.close()),
  });
}

/** Writes a moment by the shop's clock: `2026-11-21 at 14:05`. */
const formatMoment = (moment: Date): string =>
  new Date(shopDays().readClock(moment)).toISOString().slice(0, 16).replace("T", " at ");

const present = (mail: MailRecord): Infer<typeof mailRule> =>
  presentFields(mailRule.props, { ...mail, mailId: mail._id });
