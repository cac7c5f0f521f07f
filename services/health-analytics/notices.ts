import type { ServiceBroker } from "moleculer";
import type { DocumentStore } from "@partline/durable";
import { call } from "../contracts.ts";
import { CAUSES } from "./causes.ts";
import { INCIDENTS, type IncidentDocument } from "./collections.ts";

/** Shorter incidents are not mailed, and one that begins again within it has not ended. */
export const NOTICE_AFTER_MS = 3 * 60_000;

interface Notice {
  incident: IncidentDocument;
  state: NonNullable<IncidentDocument["noticed"]>;
}

/** Lists notices that are due: an incident has one of its beginning, and one of its end if its beginning had one. */
export function listDueNotices(incidents: readonly IncidentDocument[], now: number): Notice[] {
  return incidents.flatMap((incident): Notice[] => {
    const { isOpen, startedAt, endedAt, noticed } = incident;
    if (isOpen && noticed === undefined && now - startedAt.getTime() >= NOTICE_AFTER_MS)
      return [{ incident, state: "open" }];
    if (!isOpen && noticed === "open" && endedAt && now - endedAt.getTime() >= NOTICE_AFTER_MS)
      return [{ incident, state: "ended" }];
    return [];
  });
}

/** Has the shop mailed about incidents. The mail service makes one mail of repeats. */
export async function sendNotices(broker: Pick<ServiceBroker, "call">, documents: DocumentStore, now: Date) {
  const incidents = documents.collection<IncidentDocument>(INCIDENTS);
  const candidates = await incidents.find({ $or: [{ isOpen: true }, { noticed: "open" }] });
  for (const { incident, state } of listDueNotices(candidates, now.getTime())) {
    const { _id: incidentId, kind, subject, startedAt, endedAt } = incident;
    const { describe, advice } = CAUSES[kind];
    await call(broker, "mail.reportIncident", {
      incidentId,
      cause: describe(subject),
      advice,
      startedAt,
      ...(state === "ended" && endedAt ? { endedAt } : {}),
    });
    await incidents.updateOne({ _id: incidentId }, { $set: { noticed: state } });
  }
}
