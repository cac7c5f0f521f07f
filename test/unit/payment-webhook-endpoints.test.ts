import { expect, test } from "@jest/globals";
import { EVENT_TYPES } from "../../services/payment/event-commands.ts";
import { findEndpointProblems, type WebhookEndpoint } from "../../services/payment/webhook-endpoints.ts";

const VERSION = "2026-10-28.endive";
const endpoint = (fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  url: "https://shop.example/webhooks/stripe",
  status: "enabled",
  api_version: VERSION,
  enabled_events: ["*"],
  ...fields,
});

test("an endpoint of our version with all events that we read serves the shop", () => {
  expect(findEndpointProblems([endpoint()], VERSION)).toEqual([]);
  expect(findEndpointProblems([endpoint({ enabled_events: [...EVENT_TYPES] })], VERSION)).toEqual([]);
});

test.each([
  ["is missing", [], [/no enabled webhook endpoint/]],
  ["is disabled", [endpoint({ status: "disabled" })], [/no enabled webhook endpoint/]],
  ["is another application's", [endpoint({ url: "https://crm.example/hook" })], [/no enabled webhook endpoint/]],
  ["has an older version", [endpoint({ api_version: "2020-08-27" })], [/2020-08-27.*2026-10-28\.endive/]],
  ["has the account's default version", [endpoint({ api_version: null })], [/default API version.*2026-10-28/]],
  [
    "lacks an event type",
    [endpoint({ enabled_events: EVENT_TYPES.filter((type) => type !== "charge.dispute.closed") })],
    [/lacks events: charge\.dispute\.closed$/],
  ],
] as const)("an endpoint that %s is named", (_, endpoints, problems) => {
  expect(findEndpointProblems(endpoints, VERSION)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
});
