import { CodedError } from "@partline/toolkit";

/** 400 VALIDATION_FAILED with the field's problem. */
export function createValidationError(problem: { field: string; message: string }): Error {
  return new CodedError("VALIDATION_FAILED", problem.message, [problem]);
}

/** 400 VALIDATION_FAILED: `createFieldError("page", "is too deep")` reads `The 'page' field is too deep.` */
export function createFieldError(field: string, why: string): Error {
  return createValidationError({ field, message: `The '${field}' field ${why}.` });
}

/** 404 NOT_FOUND */
export function createNotFoundError(what: string, id: string): Error {
  return new CodedError("NOT_FOUND", `${what} ${id} not found`);
}
