import type { ServiceContract } from "../../../broker/contract/define.ts";
import type { Rule, Rules } from "@partline/api-contracts";
import { contracts } from "../../../services/all-contracts.ts";
import { serviceEdges } from "../service-graph.ts";
import { pageOf, table } from "./page.ts";

const INTRODUCTION = `Durable events between services, by channel. An event is delivered at least once, also after a crash; its \`event_id\` identifies a repeat. Every event has \`v\`, \`event_id\`, \`occurred_at\`, \`channel\` and \`payload\`. The [guide](../guides/events.md) explains delivery and dead letters.

The event store records events for good, under the channel's name in upper case: \`order.created\` is \`ORDER_CREATED\`.`;

export function eventsPage(): string {
  const edges = serviceEdges();
  const parts = (contracts as readonly ServiceContract[]).flatMap(({ name, channels = {} }) =>
    Object.entries(channels).flatMap(([channel, { summary, payload }]) => {
      const heardBy = edges.filter(({ by }) => by === channel).map(({ to }) => to);
      return [
        `## ${channel}`,
        `${summary}. Written by ${name}${heardBy.length > 0 ? `, consumed by ${heardBy.join(", ")}` : ""}.`,
        ...(Object.keys(payload).length === 0 ? [] : [table(["field", "type", "meaning"], rowsOf(payload))]),
      ];
    }),
  );
  return pageOf("Durable events", "the contracts of the services", INTRODUCTION, ...parts);
}

function rowsOf(fields: Rules, prefix = ""): string[][] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const path = `${prefix}${name}`;
    const inner = rule.type === "array" ? rule.items : rule;
    return [
      [`\`${path}\``, typeOf(rule), rule.description ?? ""],
      ...(inner.type === "object" ? rowsOf(inner.props, `${path}${rule.type === "array" ? "[]" : ""}.`) : []),
    ];
  });
}

function typeOf(rule: Rule): string {
  const type =
    rule.type === "array"
      ? `list of ${typeOf(rule.items)}`
      : rule.type === "enum"
        ? rule.values.map((value) => `\`${value}\``).join(" or ")
        : rule.type === "number"
          ? rule.money === "cents"
            ? "whole cents"
            : rule.integer
              ? "integer"
              : "number"
          : rule.type;
  return `${type}${rule.nullable ? " or null" : ""}${rule.optional ? ", optional" : ""}`;
}
