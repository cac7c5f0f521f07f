import { setTimeout as delay } from "node:timers/promises";
import type { Fault, Faults } from "../faults/switches.ts";
import type { Handler } from "../server/http-server.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import { spoil, type FaultKind } from "./faults.ts";
import type { Inventory } from "./inventory.ts";
import type { InquiryLog } from "./inquiry-log.ts";

export interface InquiryOptions {
  apiKey: string;
  dealerId: string;
  inventory: () => Inventory;
  faults: Faults<FaultKind>;
  log: InquiryLog;
}

/** Parts in one request. */
const MOST = 50;

/** `POST /report-api/api/partsStore/partsInquiry`: what is asked about and not known is left out of the answer. */
export function partsInquiry({ apiKey, dealerId, inventory, faults, log }: InquiryOptions): Handler {
  return async (exchange) => {
    const struck = faults.strike();
    const has = (kind: FaultKind): Fault<FaultKind> | undefined => struck.find((fault) => fault.kind === kind);
    const inquiry = readInquiry((await exchange.body()).toString("utf8"));
    const asked = typeof inquiry === "string" ? 0 : inquiry.parts.length;
    const answer = (reply: Reply, answered = 0): Reply => {
      log.add({ status: reply.status, asked, answered });
      return reply;
    };

    if (has("stall")) {
      log.add({ status: null, asked, answered: 0 });
      return "hang";
    }
    await delay(has("slow")?.value ?? 0);
    if (has("rate_limited")) {
      const seconds = has("rate_limited")?.value;
      return answer(
        jsonReply(429, { Message: "Too many requests" }, seconds == null ? {} : { "retry-after": String(seconds) }),
      );
    }
    if (has("error")) return answer(jsonReply(has("error")?.value ?? 500, { Message: "An error has occurred." }));
    if (has("key_refused") || exchange.header("x-api-key") !== apiKey)
      return answer(jsonReply(401, { Message: "X-API-KEY is missing or wrong" }));
    if (typeof inquiry === "string") return answer(jsonReply(400, { Message: inquiry }));
    if (inquiry.dealerId !== dealerId) return answer(jsonReply(403, { Message: "This dealer may not ask" }));
    const known = inquiry.parts.flatMap(({ code, number }) => inventory().find(code, number) ?? []);
    const reply = jsonReply(200, { Parts: spoil(known, struck) });
    return answer(has("not_json") ? { ...reply, body: reply.body.slice(0, -10) } : reply, known.length);
  };
}

interface Inquiry {
  dealerId: string;
  parts: { code: string; number: string }[];
}

/** What a body asks, or what is wrong with it. */
function readInquiry(body: string): Inquiry | string {
  const value = parse(body);
  if (typeof value !== "object" || value === null) return "The body must be a JSON object.";
  const { DealerId, Parts } = value as Partial<Record<string, unknown>>;
  if (typeof DealerId !== "string") return "DealerId must be a string.";
  if (!Array.isArray(Parts) || Parts.length < 1 || Parts.length > MOST) return `Parts must be a list of 1 to ${MOST}.`;
  const parts = Parts.map((part: Partial<Record<string, unknown>> | null) => ({
    code: part?.ManufacturerCode,
    number: part?.PartNumber,
  }));
  const isComplete = parts.every(
    ({ code, number }) => typeof code === "string" && code !== "" && typeof number === "string" && number !== "",
  );
  return isComplete
    ? { dealerId: DealerId, parts: parts as Inquiry["parts"] }
    : "Each of Parts must have a ManufacturerCode and a PartNumber.";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
