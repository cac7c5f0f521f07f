import { paginationRule, pagingParams, writtenLine, writtenText } from "../../broker/contract/common.ts";
import { emailRule, shippingAddressRule } from "../shared/commerce.ts";
import { type App, APPS, defineService } from "../../broker/contract/define.ts";
import { any, array, boolean, date, object, oneOf, record, rules, sentBack, string } from "@partline/api-contracts";
import { ROLES } from "../../broker/contract/scopes.ts";
import { LANGUAGES } from "../../mixins/shop/languages.ts";
import { createRoutes } from "../shared/routes.ts";

const machineRule = object("OwnMachine", {
  model: string({
    min: 1,
    max: 200,
    description: "Id or name, as /api/fitment/figures takes it",
    example: "kohler-ch-740s",
  }),
  name: string({ ...writtenText, max: 200, example: "Kohler CH-740S" }),
  serial: string({ min: 1, max: 40, personal: true, optional: true, example: "1812345" }),
});

const userRule = object("User", {
  userId: string({ description: "The identity provider's id, `sub` of the user's tokens", example: "user_2k9XbQ" }),
  email: string({ personal: true, nullable: true, description: "The primary address at the identity provider" }),
  name: string({
    personal: true,
    nullable: true,
    description: "What the user set here, or else the identity provider's first and last name",
  }),
  phone: string({
    personal: true,
    nullable: true,
    description: "What the user set here, or else the primary number at the identity provider",
  }),
  role: oneOf(ROLES, { description: "Set by the identity provider; read-only here" }),
  addresses: array(shippingAddressRule, { description: "The first is the default" }),
  machines: array(machineRule, { description: "The user's own machines" }),
  createdAt: date({ nullable: true, description: "Null until the user is stored here" }),
  updatedAt: date({ nullable: true }),
});

/** The specification's ShippingAddress, with the fields required without which nothing can be sent there. */
const addressToKeep = object(
  "Address",
  {
    ...shippingAddressRule.props,
    street: { type: "string", max: 300, ...writtenLine },
    city: { type: "string", max: 200, ...writtenLine },
    country: { type: "string", max: 100, ...writtenLine },
  },
  { personal: true },
);

/** A field that is left out stays; null restores the identity provider's value. */
const profileChanges = sentBack(userRule.props, {
  name: string({
    personal: true,
    max: 200,
    ...writtenLine,
    optional: true,
    nullable: true,
    example: "Ada Mechanic",
  }),
  phone: string({
    personal: true,
    min: 3,
    max: 50,
    pattern: /^\+?[0-9 ().\-/x]+$/,
    words: "a phone number: digits, with spaces, ( ) . - / or x between, and a + in front",
    optional: true,
    nullable: true,
    example: "+1 555 0100",
  }),
  addresses: array(addressToKeep, {
    max: 20,
    optional: true,
    description: "Replaces the whole list; each with street, city and country",
  }),
  machines: array(machineRule, { max: 50, optional: true, description: "Replaces the whole list" }),
});

const idParam = string({ description: "The identity provider's user id", example: "user_2k9XbQ" });

const entries = ["user", "gateway"] as const;
const own = { entries, access: "user", envelope: true, path: "/api/users/me" } as const;
const open = { entries, access: "none", envelope: true, method: "POST" } as const;
const route = createRoutes("users", { entries, access: "admin", envelope: true, base: "/api/users" });

const listParams = rules({
  ...pagingParams,
  q: string({
    personal: true,
    min: 1,
    max: 200,
    optional: true,
    example: "ada",
    description: "Part of a name, email address or id, in any case",
  }),
});
const listRule = object({ users: array(userRule), pagination: paginationRule });

export const userContract = defineService({
  name: "user",
  summary: "Users: profiles kept in step with the identity provider",
  actions: {
    me: {
      summary: "Get the caller's own profile",
      description:
        "Everyone with a valid token has a profile: until the identity provider's webhook arrives, it is made " +
        "from the token. A user that the identity provider has deleted is 404, although an old token may still be valid.",
      params: {},
      result: userRule,
      errors: ["UNAUTHORIZED", "NOT_FOUND"],
      http: [{ ...own, method: "GET" }],
    },
    updateMe: {
      summary: "Change the caller's own profile",
      description:
        "You can send back a profile that you read: email and role belong to the identity provider, and are " +
        "changed there. Unknown fields are refused.",
      params: profileChanges,
      result: userRule,
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "NOT_FOUND"],
      http: [{ ...own, method: "PATCH" }],
    },
    deleteMe: {
      summary: "Delete the caller's own account",
      description:
        "With IDENTITY_MODE=mail. Erases what is kept about the person; orders stay, without the person's data. With an " +
        "identity provider, accounts are deleted there.",
      params: {},
      result: object({}),
      errors: ["UNAUTHORIZED", "FORBIDDEN"],
      http: [{ ...own, method: "DELETE" }],
    },
    requestSignIn: {
      summary: "Send a sign-in link to an email address",
      description:
        "With IDENTITY_MODE=mail. The answer is the same for every address. An address is sent at most five links to an " +
        "app in 15 minutes. A link is valid for those 15 minutes and for one sign-in.",
      params: {
        email: emailRule,
        app: oneOf(Object.keys(APPS) as [App, ...App[]], {
          default: "shop",
          description: "Whose page the link opens",
        }),
        return: string({
          max: 2_000,
          pattern: /^\/(?![/\\])/,
          words: "a path of the app",
          default: "/",
          description: "Where the page leads after the sign-in",
        }),
        language: oneOf(LANGUAGES, { default: "en", description: "Language of the mail" }),
      },
      result: object({}),
      errors: ["VALIDATION_FAILED", "NOT_FOUND", "SERVICE_UNAVAILABLE"],
      timeout: 45_000,
      http: [{ ...open, path: "/api/users/sign-in-links", status: 202, guestStorage: { copies: 0, bytes: 500 } }],
    },
    redeemSignIn: {
      summary: "Exchange the token of a sign-in link for a bearer token",
      description:
        "With IDENTITY_MODE=mail, once for each link. The bearer token is valid for seven days, one of staff for twelve " +
        "hours. STAFF names the staff.",
      params: {
        token: string({
          min: 1,
          max: 4_000,
          example: "q9wT0bVn4cXe7rLk2mJ5hZ8sPd1fYg3uA6iOxNtCvB0",
          description: "The query parameter `token` of the link",
        }),
      },
      result: object("SignIn", { token: string(), expiresAt: date() }),
      errors: ["VALIDATION_FAILED", "UNAUTHORIZED", "NOT_FOUND"],
      http: [{ ...open, path: "/api/users/tokens", status: 201 }],
    },
    listSigningKeys: {
      summary: "List the public keys of bearer tokens, as a JSON Web Key Set",
      params: {},
      result: object({ keys: array(any()) }),
      errors: ["NOT_FOUND"],
      idempotent: true,
    },
    list: {
      summary: "List users",
      description: "Newest first. Deleted users are not listed.",
      params: listParams,
      result: listRule,
      errors: ["VALIDATION_FAILED"],
      http: route("GET", ""),
    },
    search: {
      summary: "Search users by a request body",
      description: "Works like the list. Names and email addresses belong in a body, because request URLs are logged.",
      params: listParams,
      result: listRule,
      errors: ["VALIDATION_FAILED"],
      idempotent: true,
      http: route("POST", "/search", { scope: "users:read" }),
    },
    get: {
      summary: "Get a user",
      params: { id: idParam },
      result: userRule,
      errors: ["NOT_FOUND"],
      http: route("GET", "/{id}"),
    },
    update: {
      summary: "Change a user's profile",
      description: "Takes the same fields as the user's own change; email and role belong to the identity provider.",
      params: { id: idParam, ...profileChanges },
      result: userRule,
      errors: ["VALIDATION_FAILED", "NOT_FOUND"],
      audit: { object: "user", id: "id", read: "get" },
      http: route("PATCH", "/{id}"),
    },
    receiveIdentityEvent: {
      summary: "Receive an identity provider's webhook",
      description:
        "Clerk's user.created, user.updated and user.deleted, signed by Svix (headers svix-id, svix-timestamp, svix-signature; five " +
        "minutes' tolerance). Other types are acknowledged and ignored. A delivery is acknowledged after its effect is written, takes " +
        "effect once by svix-id, and never in the wrong order: an older update does not overwrite a newer one, and nothing brings " +
        "a deleted user back.",
      params: {
        body: string({ description: "The exact text of the request's body" }),
        headers: record(string(), string()),
      },
      result: object({
        received: boolean({ example: true }),
        outcome: oneOf(["applied", "duplicate", "outdated", "ignored"], {
          description: "`outdated`: newer data is stored; `ignored`: an event type that is not used",
        }),
      }),
      errors: ["INVALID_SIGNATURE", "INVALID_JSON", "VALIDATION_FAILED"],
      audit: { object: "user", read: "get", by: "identity-provider" },
      http: [
        {
          method: "POST",
          path: "/webhooks/clerk",
          entries: ["payment", "user"],
          access: "none",
          envelope: true,
          body: "raw",
          headers: ["svix-id", "svix-timestamp", "svix-signature"],
          examples: {
            "application/json": { type: "user.deleted", data: { id: "user_2k9XbQ", deleted: true } },
            "svix-id": "msg_2k9XbQ",
            "svix-timestamp": "1763717400",
            "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
          },
        },
      ],
    },
  },
  channels: {
    "user.deleted": {
      summary: "A user was deleted at the identity provider; their personal data must be erased",
      recorded: null,
      payload: { userId: string({ example: "user_2k9XbQ" }) },
    },
    "user.role_changed": {
      summary: "A user's role changed at the identity provider; what they created as staff may end",
      recorded: null,
      payload: { userId: string({ example: "user_2k9XbQ" }), role: oneOf(ROLES) },
    },
  },
});
