export {
  answerRequest,
  answerRequests,
  findObjects,
  type InstantSearchDeps,
  type ObjectRequest,
} from "./src/answer.ts";
export { NOTHING } from "./src/result.ts";
export { omitClientHeaders } from "./src/request.ts";
export { HIT_ATTRIBUTES, MAX_HITS, MOST_PARAMETERS, SEARCH_PARAMETERS } from "./src/rules.ts";
