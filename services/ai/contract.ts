import { paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { any, array, boolean, date, integer, object, oneOf, rules, string } from "@partline/api-contracts";
import { MOST_OF_A_NUMBER } from "@partline/parts-search";
import { queryEvents, queryParams, queryResponseRule, testChatRule } from "./desk/resources.ts";
import { ANSWER_DEADLINE, DESK_BULKHEAD, LOOKUP_BULKHEAD, MOST_DIAGRAMS } from "./limits.ts";
import {
  diagramRule,
  figureIdRule,
  fitmentFigureRule,
  fitmentModelRule,
  fittedPartRule,
  listedManualRule,
  manualPageRule,
  missingCatalogRule,
  modelFigureRule,
  nearRule,
  supersedingRule,
} from "./resources.ts";
import { equipmentModelRule, fitmentMakeRule } from "../shared/fitment.ts";
import { pageNumberRule, sha256Rule } from "../shared/manual-rules.ts";

const route = { method: "GET", entries: ["ai", "search", "gateway"], access: "none", envelope: false } as const;
const lookUp = { errors: ["VALIDATION_FAILED", "DATABASE_UNAVAILABLE"], bulkhead: LOOKUP_BULKHEAD } as const;

const modelParam = string({
  min: 1,
  max: 200,
  description:
    "A model as people type it: in any case, with or without dashes, spaces and its maker. A family (`GT`) " +
    "stands for all its models",
  example: "gt 2254",
});

const typedParam = string({ min: 1, max: 100, optional: true, description: "As typed so far" });

const deskRoute = {
  ...route,
  method: "POST",
  access: "optional",
  session: true,
  errors: "detail",
  // A conversation takes up to 8 kB and is deleted after half an hour.
  guestStorage: { bytes: 500, copies: 0, ofSession: true },
  streamed: { action: "queryStream", abandoned: "ai.query.abandoned", events: queryEvents },
} as const;

/** Exactly one of the two. */
const modelOrPart = rules({
  model: { ...modelParam, optional: true },
  part: string({
    min: 1,
    max: 100,
    optional: true,
    description: "A part number in any spelling",
    example: "15964-8141",
  }),
});

export const aiContract = defineService({
  name: "ai",
  summary: "Answers from equipment manuals: which parts a machine has, and where they are drawn",
  guestOf: ["search"],
  actions: {
    equipment: {
      summary: "List the parts of an equipment, the equipment that a part fits, or all equipment",
      description:
        "Give `model` or `part`, not both. Without either: all equipment of manuals and catalog, in the order of its " +
        "names, page by page, without parts. With `model`: the parts of that equipment, schema by schema in the order of " +
        "its manual, then those that fit it by the catalog; `source` says which. With `part`: where that part is used; of " +
        "manuals, numbers that it replaces count as it. A model or part that neither names is an empty list.",
      params: { ...modelOrPart, ...pagingParams },
      result: object("EquipmentParts", {
        equipment: array(equipmentModelRule, { description: "Models that match, or that the part fits" }),
        parts: array(fittedPartRule),
        complete: boolean({
          optional: true,
          description: `With \`part\`: false where manuals list it in more than ${MOST_OF_A_NUMBER} rows, of which \`equipment\`, \`parts\` and \`pagination\` are some`,
        }),
        supersession: {
          ...supersedingRule,
          optional: true,
          description: "With `part`: what manuals say about its number",
        },
        missing: missingCatalogRule,
        pagination: paginationRule,
      }),
      ...lookUp,
      http: [
        {
          ...route,
          path: "/api/ai/equipment",
          examples: { model: "gt 2254" },
        },
      ],
    },

    learnDocument: {
      summary: "Index a stored document, so that answers can quote it",
      description: "Replaces an image with the same id.",
      params: { id: string({ min: 1 }), content: string({ min: 1 }) },
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
    },

    forgetDocument: {
      summary: "Remove a document from the desk's answers",
      params: { id: string({ min: 1 }) },
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
    },

    diagrams: {
      summary: "List the diagrams of a machine, or those that show a part",
      description:
        `Give \`model\` or \`part\`, one of the two. At most ${MOST_DIAGRAMS}, in the order of their manuals, each with the callouts of its page. ` +
        "Price and availability are the catalog's when it answers. Images and manuals open without a credential.",
      params: modelOrPart,
      result: object({ diagrams: array(diagramRule) }),
      ...lookUp,
      http: [
        {
          ...route,
          path: "/api/ai/diagrams",
          examples: { model: "gt 2254" },
        },
      ],
    },

    manuals: {
      summary: "List the manuals that were read",
      description: "Sorted by make and title. A manual appears a few seconds after it was read.",
      params: pagingParams,
      result: object("ManualList", { manuals: array(listedManualRule), pagination: paginationRule }),
      errors: ["DATABASE_UNAVAILABLE"],
      http: [{ ...route, path: "/api/manuals", entries: ["ai", "gateway"] }],
      bulkhead: LOOKUP_BULKHEAD,
    },

    manualPage: {
      summary: "Get what is drawn on a page of a manual",
      description:
        "Returns the page as a picture, its figures, the positions of the reference numbers in its drawings, and " +
        "the part that each leads to. A manual is available a few seconds after it was read.",
      params: { sha256: sha256Rule, page: pageNumberRule },
      result: { ...manualPageRule },
      errors: ["NOT_FOUND", "DATABASE_UNAVAILABLE"],
      http: [{ ...route, path: "/api/manuals/{sha256}/pages/{page}", entries: ["ai", "gateway"] }],
      bulkhead: LOOKUP_BULKHEAD,
    },

    fitmentMakes: {
      summary: "List the makes of the machines of manuals and catalog",
      description:
        "Sorted by name. With `q`, lists makes of which a word begins with it, or else those one or two typing " +
        "errors away.",
      params: { q: { ...typedParam, example: "koh" }, ...pagingParams },
      result: object("FitmentMakeList", {
        makes: array(fitmentMakeRule),
        near: nearRule,
        pagination: paginationRule,
        missing: missingCatalogRule,
      }),
      ...lookUp,
      http: [{ ...route, path: "/api/fitment/makes" }],
    },

    fitmentModels: {
      summary: "List the models of machines of manuals and catalog",
      description:
        "In the order of their names. With `q`, while it is typed: those that are it, then those that it begins, with their make or without " +
        "and from any group of letters or digits on; else those that it names amid other words; else those a slip or two away. " +
        "`make` may be typed in the same ways.",
      params: {
        make: { ...typedParam, example: "meadow" },
        q: { ...typedParam, example: "gt 22" },
        ...pagingParams,
      },
      result: object("FitmentModelList", {
        models: array(fitmentModelRule),
        near: nearRule,
        pagination: paginationRule,
        missing: missingCatalogRule,
      }),
      ...lookUp,
      http: [{ ...route, path: "/api/fitment/models" }],
    },

    fitmentFigures: {
      summary: "List the figures of a model",
      description:
        "Diagrams and sections that its manuals list parts in, manual by manual in the order of the manual. Parts outside any are in " +
        "`/api/ai/equipment`; a model that the catalog alone names has none. A name that machines of several makers have is all of theirs.",
      params: {
        model: string({
          min: 1,
          max: 200,
          description: "Id of a model, or its name in any spelling, with its make or without",
          example: "meadow-gt-2254",
        }),
        serial: string({
          min: 1,
          max: 40,
          pattern: /\d/,
          words: "a serial number, with digits",
          optional: true,
          description: "The machine's serial number; leaves out figures whose pages name only other serial numbers",
          example: "1012345",
        }),
        ...pagingParams,
      },
      result: object("ModelFigureList", {
        models: array(equipmentModelRule),
        figures: array(modelFigureRule),
        pagination: paginationRule,
      }),
      errors: ["VALIDATION_FAILED", "NOT_FOUND", "DATABASE_UNAVAILABLE"],
      http: [{ ...route, path: "/api/fitment/models/{model}/figures" }],
      bulkhead: LOOKUP_BULKHEAD,
    },

    fitmentFigure: {
      summary: "Get a figure with its parts and callouts",
      description:
        "Price and availability come from the catalog if it answers. A figure keeps its id when its manual is " +
        "read again, as long as it keeps its name.",
      params: {
        figure: figureIdRule,
        model: { ...modelParam, optional: true, description: "Only parts of this model; its id or name, as above" },
        ...pagingParams,
      },
      result: { ...fitmentFigureRule },
      errors: ["VALIDATION_FAILED", "NOT_FOUND", "DATABASE_UNAVAILABLE"],
      http: [{ ...route, path: "/api/fitment/figures/{figure}" }],
      bulkhead: LOOKUP_BULKHEAD,
    },

    query: {
      summary: "Ask the parts desk",
      description:
        "Answers come only from manuals and the catalog, with the page, price and stock of each part. If nothing " +
        "is relevant, the answer says so and `parts` is empty. If a chat model is configured, it writes the " +
        "answer, which is checked against what was found. `include_store_link` adds store links, as does a yes " +
        "under the same X-Session-Id, under which a question may also refer to the last answer.",
      params: queryParams,
      result: { ...queryResponseRule },
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE"],
      http: [
        { ...deskRoute, path: "/api/ai/query" },
        { ...deskRoute, path: "/query", entries: ["ai"] },
      ],
      bulkhead: DESK_BULKHEAD,
      timeout: ANSWER_DEADLINE,
    },

    queryStream: {
      summary: "Ask the parts desk, and stream the answer",
      description: "A stream of `{ event, data }`. For the gateway.",
      params: queryParams,
      result: any(),
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE"],
      timeout: ANSWER_DEADLINE,
    },

    health: {
      summary: "Report how the chat model answered the last question",
      description: "Reports what answers met in this process; the probe itself does not ask the model.",
      params: {},
      result: object({
        chat: object(
          {
            status: oneOf(["ok", "error", "unknown"], {
              description: "`unknown` until it was asked for the first time",
            }),
            model: string(),
            reason: oneOf(["timed_out", "unreachable", "refused", "endless"], {
              nullable: true,
              description: "Why it did not answer",
            }),
            httpStatus: integer({ nullable: true, description: "Of a refusal" }),
            format: oneOf(["json_schema", "tool", "json_object", "text"], {
              nullable: true,
              description: "How answers are asked for, where the server does not take `json_schema`",
            }),
            askedAt: date({ nullable: true, description: "When it last answered or failed to" }),
          },
          { nullable: true, description: "Null without a chat model" },
        ),
      }),
      errors: [],
      idempotent: true,
      away: { chat: null },
    },

    testChat: {
      summary: "Test the parts desk, and the chat model if one is configured",
      description: "Calls the model. The result is reused for ten seconds.",
      params: {},
      result: { ...testChatRule },
      errors: ["SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE"],
      http: [{ ...route, path: "/test-chat", entries: ["ai"], errors: "detail" }],
      idempotent: false,
      bulkhead: { concurrency: 4, maxQueueSize: 16 },
      timeout: ANSWER_DEADLINE,
    },
  },
});
