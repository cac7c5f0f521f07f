export { asList, asObject, readWholeNumber } from "./src/answer.ts";
export {
  createHttpError,
  findHttpErrorDetails,
  type HttpErrorDetails,
  type HttpFailure,
  UnreadableAnswer,
} from "./src/errors.ts";
export { createHttpClient, type HttpClientOptions } from "./src/http-client.ts";
export {
  AddressNotAllowed,
  lookUpAllowed,
  isLoopbackAddress,
  isPublicAddress,
  type Resolve,
} from "./src/public-address.ts";
