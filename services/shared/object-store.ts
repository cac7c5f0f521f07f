import { object } from "../../broker/contract/rules.ts";

/** The action by which a service that keeps files says that it can. */
export const readyWithObjects = {
  summary: "Check that the object store can be used",
  params: {},
  result: object({}),
  errors: ["SERVICE_UNAVAILABLE"],
  idempotent: true,
} as const;
