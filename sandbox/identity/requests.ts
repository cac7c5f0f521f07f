import type { Exchange } from "../server/http-server.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import type { TokenWishes } from "./tokens.ts";
import type { UserFields } from "./users.ts";

/** A refusal in the form of Clerk's API. */
export class ApiRefusal extends Error {
  readonly reply: Reply;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.reply = jsonReply(status, { errors: [{ code, message, long_message: message }] });
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value.length > 0 && value.length <= 200;
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName: Check = (value) => value === null || isText(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= 10 && value.every(check);
const isEmail: Check = (value) => isText(value) && /^[^@\s]+@[^@\s]+$/.test(value as string);

const USER_FIELDS: Record<keyof UserFields, Check> = {
  email_address: listOf(isEmail),
  phone_number: listOf(isText),
  first_name: isName,
  last_name: isName,
  public_metadata: isObject,
};

const TOKEN_FIELDS: Record<keyof TokenRequest, Check> = {
  user: isText,
  template: isText,
  expiresInSeconds: (value) => Number.isInteger(value) && Math.abs(value as number) <= 31_536_000,
  claims: isObject,
};

export type TokenRequest = TokenWishes & { user: string; template?: string };

export async function userFields(exchange: Exchange): Promise<UserFields> {
  return checked(await readJson(exchange), USER_FIELDS);
}

export async function tokenRequest(exchange: Exchange): Promise<TokenRequest> {
  const { user, ...rest } = checked<Partial<TokenRequest>>(await readJson(exchange), TOKEN_FIELDS);
  if (user === undefined) throw new ApiRefusal(422, "form_param_missing", "user is missing");
  return { user, ...rest };
}

function checked<T extends object>(body: object, fields: Record<keyof T, Check>): T {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(fields, name)) throw new ApiRefusal(422, "form_param_unknown", `${name} is not a parameter`);
    if (!fields[name as keyof T](value)) throw new ApiRefusal(422, "form_param_invalid", `${name} is not valid`);
  }
  return body as T;
}

async function readJson(exchange: Exchange): Promise<object> {
  try {
    const value: unknown = JSON.parse((await exchange.body()).toString("utf8") || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ApiRefusal(400, "request_body_invalid", "The body is not a JSON object");
}
