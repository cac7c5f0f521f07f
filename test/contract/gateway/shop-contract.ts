import { unitPriceRule } from "../../../services/shared/commerce.ts";
import { defineService, type HttpRoute } from "../../../broker/contract/define.ts";
import { answerFile, fileAnswerRule, fileParams } from "../../../broker/contract/file.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { DocumentStoreError } from "../../../packages/durable/src/document-store/port.ts";

const shared = {
  entries: ["payment", "gateway"],
  access: "none",
  envelope: true,
} as const satisfies Partial<HttpRoute>;
const text = { type: "string" } as const;
const seen = { type: "any" } as const;

/** A made-up service with one route of every kind. */
export const shopContract = defineService({
  name: "shop",
  summary: "A shop that tells what it was asked",
  actions: {
    list: {
      summary: "List",
      params: {
        limit: { type: "number", integer: true, min: 1, max: 100, default: 20 },
        tag: { type: "array", items: { type: "string" }, optional: true },
        exact: { type: "boolean", optional: true },
        since: { type: "date", optional: true },
        sort: { type: "enum", values: ["price", "newest"], optional: true },
      },
      result: seen,
      errors: [],
      http: [{ ...shared, method: "GET", path: "/api/things", envelope: false }],
    },
    make: {
      summary: "Make",
      params: {
        id: { type: "string", min: 3, max: 20, pattern: /^[a-z0-9_-]+$/ },
        amount: { type: "number", min: 1, optional: true },
        at: { type: "date", optional: true },
        line: { type: "object", props: { note: { ...text, optional: true } }, optional: true },
        mode: { type: "enum", values: ["all", "some"], default: "all" },
        lines: {
          type: "array",
          items: {
            type: "object",
            props: { n: { type: "number", default: 1 }, price: { ...unitPriceRule, optional: true } },
          },
          optional: true,
        },
      },
      result: seen,
      errors: [],
      http: [{ ...shared, method: "POST", path: "/api/things/{id}", status: 201 }],
    },
    get: {
      summary: "Get",
      params: { id: { type: "string", min: 3, max: 20, pattern: /^[a-z0-9_-]+$/ } },
      result: seen,
      errors: ["NOT_FOUND"],
      http: [{ ...shared, method: "GET", path: "/api/things/{id}" }],
    },
    special: {
      summary: "Static path",
      params: {},
      result: seen,
      errors: [],
      http: [{ ...shared, method: "PUT", path: "/api/things/special" }],
    },
    numbered: {
      summary: "A number in the path",
      params: { n: { type: "number", integer: true, min: 1 } },
      result: seen,
      errors: [],
      http: [{ ...shared, method: "GET", path: "/api/numbers/{n}" }],
    },
    nothing: {
      summary: "Null",
      params: {},
      result: { type: "any", nullable: true },
      errors: [],
      http: [{ ...shared, method: "GET", path: "/api/nothing" }],
    },
    mine: {
      summary: "Needs a token",
      params: { page: { type: "number", integer: true, optional: true } },
      result: seen,
      errors: [],
      http: [{ ...shared, access: "user", method: "GET", path: "/api/mine" }],
    },
    tell: {
      summary: "Needs a token",
      params: { note: text },
      result: seen,
      errors: [],
      http: [{ ...shared, access: "user", method: "POST", path: "/api/mine" }],
    },
    held: {
      summary: "Held",
      params: {},
      result: seen,
      errors: [],
      http: [{ ...shared, method: "GET", path: "/api/held" }],
    },
    late: {
      summary: "Too late",
      params: {},
      result: seen,
      errors: [],
      timeout: 50,
      http: [{ ...shared, method: "GET", path: "/api/late" }],
    },
    ask: {
      summary: "Errors in the agent's form",
      params: { query: text },
      result: seen,
      errors: [],
      http: [{ ...shared, method: "POST", path: "/api/ask", errors: "detail", envelope: false }],
    },
    pay: {
      summary: "Runs once for an Idempotency-Key",
      params: {
        amount: { type: "number" },
        how: { type: "enum", values: ["well", "held", "refused", "away", "late", "bug"], default: "well" },
        more: {
          type: "object",
          props: { a: { ...text, optional: true }, b: { ...text, optional: true } },
          optional: true,
        },
      },
      result: { type: "object", props: { n: { type: "number" }, at: { type: "date" } } },
      errors: ["OUT_OF_STOCK"],
      once: true,
      http: [{ ...shared, access: "optional", session: true, method: "POST", path: "/api/payments", status: 201 }],
    },
    payBeside: {
      summary: "Another that runs once, and calls the first",
      params: { amount: { type: "number" } },
      result: seen,
      errors: [],
      once: true,
      http: [{ ...shared, method: "POST", path: "/api/payments/beside" }],
    },
    hook: {
      summary: "Webhook",
      params: { body: text, headers: { type: "record", key: text, value: text } },
      result: seen,
      errors: ["INVALID_SIGNATURE"],
      http: [
        {
          ...shared,
          entries: ["payment"],
          method: "POST",
          path: "/webhooks/shop",
          body: "raw",
          headers: ["x-signature"],
          envelope: false,
        },
      ],
    },
    load: {
      summary: "Stream",
      params: { vendor: text, dry: { type: "boolean", optional: true }, contentType: text },
      result: seen,
      errors: [],
      http: [
        {
          ...shared,
          method: "POST",
          path: "/api/load/{vendor}",
          body: "stream",
          consumes: ["text/csv"],
          envelope: false,
        },
      ],
    },
    picture: {
      summary: "A file of any size",
      params: {
        bytes: { type: "number", integer: true, min: 0 },
        edition: { type: "string", default: "first" },
        ...fileParams,
      },
      result: { ...fileAnswerRule },
      errors: ["VERSION_CONFLICT"],
      http: [
        {
          ...shared,
          method: "GET",
          path: "/api/pictures/{bytes}",
          answer: "file",
          produces: ["image/png", "image/webp"],
          envelope: false,
        },
      ],
    },
    direct: {
      summary: "Kept off the gateway",
      params: {},
      result: seen,
      errors: [],
      http: [{ ...shared, entries: ["payment"], method: "GET", path: "/api/direct" }],
    },
    directThing: {
      summary: "Kept off the gateway, beside a path that is not",
      params: {},
      result: seen,
      errors: [],
      http: [{ ...shared, entries: ["payment"], method: "PUT", path: "/api/things/sync" }],
    },
    secret: { summary: "Called by services only", params: {}, result: seen, errors: [] },
    health: { summary: "Adds to /health of an entry point of its name", params: {}, result: seen, errors: [] },
  },
});

/** Longer than the action may take. */
const outlast = (timeout: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeout * 6));

/**
 * What was read of the made-up files: the pieces, and what they are made of. A test may change the edition that is
 * there.
 */
export const pictures = { pieces: 0, edition: undefined as string | undefined };

/** The bytes of a made-up file. */
export function pictureBytes(from: number, to: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, to - from + 1));
  for (let at = from; at <= to; at += 1) bytes[at - from] = (at * 31 + (at >> 8)) & 0xff;
  return bytes;
}

/** Calls of the held action: a test acts while one is under way, and lets it end. */
export const heldCalls = { begun: 0, end: Promise.withResolvers<void>() };

/** How often was paid. */
export const payments = { made: 0, ids: [] as (string | undefined)[] };

/** Answers what it was asked, so that a test sees what an action gets. */
export function shopService() {
  return implement(shopContract, {
    actions: {
      list: async (ctx) => ({ params: ctx.params, sinceIsDate: ctx.params.since instanceof Date }),
      make: async (ctx) => ({
        params: ctx.params,
        atIsDate: ctx.params.at instanceof Date,
        polluted: "isAdmin" in ctx.params,
      }),
      get: async (ctx) => {
        if (ctx.params.id === "gone") throw new PartlineError("NOT_FOUND", "Thing gone not found");
        return { params: ctx.params, requestId: ctx.requestID };
      },
      special: async (ctx) => ({ special: true, client: ctx.meta.client }),
      numbered: async (ctx) => ctx.params,
      nothing: async () => null,
      mine: async (ctx) => ({ caller: ctx.meta.caller }),
      tell: async (ctx) => ctx.params,
      held: async () => {
        heldCalls.begun += 1;
        await heldCalls.end.promise;
        return { done: true };
      },
      late: async () => outlast(shopContract.actions.late.timeout),
      ask: async (ctx) => ctx.params,
      pay: async (ctx) => {
        payments.made += 1;
        payments.ids.push(ctx.meta.runId);
        const n = payments.made;
        switch (ctx.params.how) {
          case "refused":
            throw new PartlineError("OUT_OF_STOCK", "None left", { left: n });
          case "away":
            throw new DocumentStoreError("UNAVAILABLE", "disk /var/secret is full");
          case "late":
            throw new PartlineError("TIMEOUT", "No answer in time");
          case "bug":
            throw new TypeError("cannot connect to mongodb://user:hunter2@db:27017");
          case "held":
            heldCalls.begun += 1;
            await heldCalls.end.promise;
            break;
          case "well":
        }
        return { n, at: new Date("2026-01-31T09:00:00Z") };
      },
      payBeside: async (ctx) => {
        await ctx.call("shop.pay", { amount: ctx.params.amount });
        return ctx.call("shop.pay", { amount: ctx.params.amount });
      },
      hook: async (ctx) => ctx.params,
      load: async (ctx) => {
        let bytes = 0;
        for await (const chunk of ctx.stream as unknown as AsyncIterable<Buffer>) bytes += chunk.length;
        return { params: ctx.params, bytes };
      },
      picture: (ctx) => {
        const { bytes, edition, file } = ctx.params;
        const facts = {
          type: "image/png",
          etag: `"${pictures.edition ?? edition}-${bytes}"`,
          bytes,
          cacheControl: "public, max-age=60",
          vary: "Accept",
        };
        return answerFile(file, facts, async (from, to) => {
          pictures.pieces += 1;
          return pictureBytes(from, to);
        });
      },
      direct: async () => ({}),
      directThing: async () => ({}),
      secret: async () => ({}),
      health: async () => ({ shelves: 7 }),
    },
  });
}
