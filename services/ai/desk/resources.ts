import { amountRule, sentCartItemRule } from "../../shared/commerce.ts";
import { array, boolean, integer, number, object, oneOf, rules, string } from "@partline/api-contracts";

/** Characters of a question. */
const LONGEST_QUERY = 2_000;

/** Response of the desk. Source: specification, "AI query". */

export const partResponseRule = object(
  "PartResponse",
  {
    part_number: string({ example: "15964-8141" }),
    description: string(),
    schemas: array(string(), { description: "Diagrams and sections of manuals in which it appears" }),
    quantity: integer({ nullable: true, description: "How many the equipment has, where `pdf_link` leads" }),
    pdf_link: string({
      nullable: true,
      description: "The page of the manual",
      example: "http://127.0.0.1:8000/api/manuals/{sha256}/source.pdf#page=7",
    }),
    available_for_purchase: boolean({ description: "Active and priced in the catalog, regardless of its stock" }),
    in_stock: boolean({ nullable: true }),
    stock_quantity: integer({ nullable: true }),
    price: { ...amountRule, nullable: true },
    estimated_delivery: string({
      nullable: true,
      example: "2 to 5 business days",
      description: "Of a part in stock, by the fastest and the cheapest shipping method; null where carriers say that",
    }),
    store_link: string({
      optional: true,
      description: "With `include_store_link`, or once the question asked for it; for parts that can be bought",
    }),
  },
  { description: "A part from the manuals or the catalog. Unknown values are null." },
);

export const queryParams = rules({
  query: string({
    max: LONGEST_QUERY,
    pattern: /\S/,
    missing: "query field is required",
    description: "A question in plain words, or several",
    example: "What carburetor fits my GT-2254, and how many bolts hold the blade?",
  }),
  about: object(
    "LookedAt",
    {
      part: string({ min: 1, max: 100, optional: true, description: "A part number, with its maker or without" }),
      equipment: string({ min: 1, max: 200, optional: true, description: "A machine", example: "GT-2254" }),
    },
    { optional: true, description: "What the asker looks at: `it` and `my machine`, until others are asked for" },
  ),
  include_store_link: boolean({ default: false }),
});

/** Action that a client can offer with an answer; the desk does none of it. */
const deskActionRule = object("DeskAction", {
  type: oneOf(["add_to_cart", "open_store", "look_up_order"]),
  method: oneOf(["GET", "POST"], { optional: true }),
  path: string({ optional: true, example: "/api/cart/items" }),
  body: object(
    { item: object("ItemToAdd", sentCartItemRule.props) },
    { optional: true, description: "Of `add_to_cart`, as `path` takes it" },
  ),
  url: string({ optional: true, description: "Of `open_store`: a part's page in the store" }),
});

export const queryResponseRule = object("QueryResponse", {
  answer: string(),
  parts: array(partResponseRule),
  needs_confirmation: boolean({
    description:
      "Store links would apply. To get them, say yes with the same X-Session-Id or bearer token, or ask again with " +
      "`include_store_link: true`",
  }),
  store_link_question: string({ nullable: true }),
  actions: array(deskActionRule, {
    description:
      "Ready to be done by the client: `add_to_cart` where the question asks for that and one part is meant, `open_store` " +
      "where store links are given, `look_up_order` where it is about an order",
  }),
});

/** The events of an answer that is streamed while it is made. */
export const queryEvents = {
  text: object({ text: string({ description: "The next piece of the answer" }) }),
  restart: object({ reason: string({ description: "Why the text so far is discarded: it begins again" }) }),
  answer: queryResponseRule,
} as const;

export const testChatRule = object("TestChat", {
  status: oneOf(["ok", "error"], {
    description: "`error`: the configured chat model does not answer, or its answer failed the check",
  }),
  model_config: object("ChatModelConfig", {
    api_url: string({ nullable: true, description: "Null where answers are composed without a model" }),
    model_name: string(),
    temperature: number(),
    max_tokens: integer({ nullable: true }),
    provider: oneOf(["composer", "openai-compatible"]),
  }),
  test_query: string(),
  agent_response: string(),
  agent_state: object("AgentState", { parts_found: integer(), needs_confirmation: boolean() }),
});
