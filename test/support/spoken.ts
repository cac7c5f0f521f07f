import { createHash } from "node:crypto";
import { TAKEN_EVENT, takenRules, PacketSerializer } from "@partline/moleculer-kit";
import { encodeEvent } from "../../packages/durable/src/channels/jetstream/message.ts";
import type { ServiceContract } from "../../broker/contract/define.ts";
import type { Rule, Rules } from "@partline/api-contracts";
import { SAMPLE_EVENT, sampleRules } from "../../broker/telemetry/sample.ts";

/**
 * A short digest of each thing that nodes say to each other, by its name: what an action takes, gives and refuses, what
 * an event has, how both are written.
 */
export function spokenBy(contracts: readonly ServiceContract[]): Record<string, string> {
  const moment = new Date(0);
  const packet = new PacketSerializer().serialize({
    date: moment,
    bytes: Buffer.from("a"),
    big: 1n,
    list: [{ set: new Set([1]) }],
    map: new Map([[1, moment]]),
    words: /a/g,
  });
  const event = encodeEvent({
    v: 1,
    event_id: "id",
    channel: "a.b",
    occurred_at: moment,
    payload: { at: moment },
    origin: { request_id: "r" },
  });
  const said = contracts.flatMap(({ name: service, actions, channels = {} }): [string, unknown][] => [
    ...Object.entries(actions).map(([name, { params, result, errors }]): [string, unknown] => [
      `${service}.${name}`,
      { params: shapesOf(params), result: shapeOf(result), errors: [...errors].sort() },
    ]),
    ...Object.entries(channels).map(([name, { payload }]): [string, unknown] => [`channel ${name}`, shapesOf(payload)]),
  ]);
  said.push(
    [`event ${TAKEN_EVENT}`, shapesOf(takenRules)],
    [`event ${SAMPLE_EVENT}`, shapesOf(sampleRules)],
    ["packets", packet.toString()],
    ["durable events", Buffer.from(event).toString()],
  );
  return Object.fromEntries(
    said
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, what]) => [name, createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 12)]),
  );
}

/** What is said of a rule to people, and changes nothing between nodes. */
const FOR_PEOPLE = new Set(["description", "personal", "example", "title", "words", "missing", "format"]);

function shapesOf(rules: Rules): unknown {
  return inOrder(Object.entries(rules).map(([field, rule]) => [field, shapeOf(rule)]));
}

function shapeOf(rule: Rule): unknown {
  return inOrder(
    Object.entries(rule)
      .filter(([key]) => !FOR_PEOPLE.has(key))
      .map(([key, value]: [string, unknown]) => {
        if (key === "props") return [key, shapesOf(value as Rules)];
        if (key === "items" || key === "key" || key === "value") return [key, shapeOf(value as Rule)];
        return [key, value instanceof RegExp || typeof value === "function" ? String(value) : value];
      }),
  );
}

/** In which order fields stand says nothing. */
function inOrder(entries: [string, unknown][]): unknown {
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
