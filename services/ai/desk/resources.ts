import { amountRule } from "../../../broker/contract/common.ts";
import { rule, rules } from "../../../broker/contract/rules.ts";

/** Characters of a question. */
const LONGEST_QUERY = 2_000;

/** What the desk answers. Source: specification, "AI query". */

export const partResponseRule = rule({
  type: "object",
  title: "PartResponse",
  description: "A part from the manuals or the catalog. Unknown values are null.",
  props: {
    part_number: { type: "string", example: "15964-8141" },
    description: { type: "string" },
    schemas: {
      type: "array",
      items: { type: "string" },
      description: "Diagrams and sections of manuals in which it appears",
    },
    quantity: {
      type: "number",
      integer: true,
      nullable: true,
      description: "How many the equipment has, where `pdf_link` leads",
    },
    pdf_link: {
      type: "string",
      nullable: true,
      description: "The page of the manual",
      example: "http://127.0.0.1:8000/api/manuals/{sha256}/source.pdf#page=7",
    },
    available_for_purchase: {
      type: "boolean",
      description: "Active and priced in the catalog, regardless of its stock",
    },
    in_stock: { type: "boolean", nullable: true },
    stock_quantity: { type: "number", integer: true, nullable: true },
    price: { ...amountRule, nullable: true },
    estimated_delivery: { type: "string", nullable: true },
    store_link: {
      type: "string",
      optional: true,
      description: "With `include_store_link`, or once it was asked for; of parts that can be bought",
    },
  },
});

/** What is asked. */
export const queryParams = rules({
  query: {
    type: "string",
    max: LONGEST_QUERY,
    pattern: /\S/,
    missing: "query field is required",
    description: "A question in plain words, or several",
    example: "What carburetor fits my GT-2254, and how many bolts hold the blade?",
  },
  include_store_link: { type: "boolean", default: false },
});

export const queryResponseRule = rule({
  type: "object",
  title: "QueryResponse",
  props: {
    answer: { type: "string" },
    parts: { type: "array", items: partResponseRule },
    needs_confirmation: {
      type: "boolean",
      description: "Store links would apply: say yes, with the same X-Session-Id, to get them",
    },
    store_link_question: { type: "string", nullable: true },
  },
});

/** The events of an answer that is told while it is made. */
export const queryEvents = {
  text: rule({ type: "object", props: { text: { type: "string", description: "The next piece of the answer" } } }),
  restart: rule({
    type: "object",
    props: { reason: { type: "string", description: "Why the text so far is void: it begins again" } },
  }),
  answer: queryResponseRule,
} as const;

export const testChatRule = rule({
  type: "object",
  title: "TestChat",
  props: {
    status: {
      type: "enum",
      values: ["ok", "error"],
      description: "`error`: the configured chat model does not answer, or its answer failed the check",
    },
    model_config: {
      type: "object",
      title: "ChatModelConfig",
      props: {
        api_url: { type: "string", nullable: true, description: "Null where answers are composed without a model" },
        model_name: { type: "string" },
        temperature: { type: "number" },
        max_tokens: { type: "number", integer: true, nullable: true },
        provider: { type: "enum", values: ["composer", "openai-compatible"] },
      },
    },
    test_query: { type: "string" },
    agent_response: { type: "string" },
    agent_state: {
      type: "object",
      title: "AgentState",
      props: { parts_found: { type: "number", integer: true }, needs_confirmation: { type: "boolean" } },
    },
  },
});
