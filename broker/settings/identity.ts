import { randomBytes } from "node:crypto";
import { normalizeEmail } from "@partline/toolkit";
import { ROLES, type Role } from "../contract/scopes.ts";
import type { SettingsReader } from "./reader.ts";

/** Defaults with the sandbox; production has none. */
export const SANDBOX_WEBHOOK_SECRET = "whsec_cGFydGxpbmUtc2FuZGJveC1pZGVudGl0eS0zMmJ5dGVz";
const SANDBOX_IDENTITY = { audience: "partline-api", authorizedParty: "http://127.0.0.1:8000" } as const;

const STAFF_ROLES = ROLES.filter((role) => role !== "customer");

interface IdentityOptions {
  production: boolean;
  /** Address of the stand-in. */
  sandboxUrl: string;
}

/**
 * Reads who signs people in: an identity provider, or with IDENTITY_MODE=mail the shop itself, by links in mails.
 * Tokens have the same claims either way.
 */
export function readIdentity(reader: SettingsReader, { production, sandboxUrl }: IdentityOptions) {
  const mode = reader.getOneOf("IDENTITY_MODE", ["provider", "mail"] as const, "provider");
  const jwksUrl = reader.getUrl("IDENTITY_JWKS_URL");
  const issuer = reader.getText("IDENTITY_ISSUER");
  const staff = readStaff(reader, mode);
  if (mode === "mail") {
    if (jwksUrl !== undefined) reader.noteUnusable("IDENTITY_JWKS_URL", "is a provider's: IDENTITY_MODE is mail");
    if (reader.isOff("SMTP_URL")) reader.noteUnusable("IDENTITY_MODE", "is mail, and SMTP_URL is off");
    if (production && ![...staff.values()].some((role) => role === "owner" || role === "admin"))
      reader.noteUnusable("STAFF", "names no owner and no admin: nobody could open the whole console");
    return {
      mode,
      sandbox: false,
      jwksUrl: undefined,
      issuer,
      signIn: undefined,
      audience: reader.getText("IDENTITY_AUDIENCE") ?? SANDBOX_IDENTITY.audience,
      /** Those of our own pages are added. */
      authorizedParties: reader.getList("IDENTITY_AUTHORIZED_PARTIES") ?? [],
      /** Nobody knows it: no provider sends webhooks. */
      webhookSecret: `whsec_${randomBytes(32).toString("base64")}`,
      staff,
    };
  }
  const isReal = production || (jwksUrl ?? keepIfReal(issuer)) !== undefined;
  const sandbox = jwksUrl === undefined && !production ? sandboxUrl : undefined;
  const readRequired = reader.createRequiredReader(isReal);
  return {
    mode,
    sandbox: sandbox !== undefined,
    jwksUrl: jwksUrl ?? (isReal ? reader.noteMissing("IDENTITY_JWKS_URL") : `${sandboxUrl}/.well-known/jwks.json`),
    issuer: issuer ?? sandbox,
    signIn: readSignIn(reader, issuer, sandbox),
    audience: readRequired("IDENTITY_AUDIENCE", SANDBOX_IDENTITY.audience),
    authorizedParties: reader.getList("IDENTITY_AUTHORIZED_PARTIES") ?? [
      readRequired("IDENTITY_AUTHORIZED_PARTIES", SANDBOX_IDENTITY.authorizedParty),
    ],
    webhookSecret: readRequired("IDENTITY_WEBHOOK_SECRET", SANDBOX_WEBHOOK_SECRET),
    staff,
  };
}

/** Reads `owner:jo@shop.example, clerk:sam@shop.example`: whose sign-in by mail has which role. */
function readStaff(reader: SettingsReader, mode: "provider" | "mail"): ReadonlyMap<string, Role> {
  const entries = reader.getList("STAFF") ?? [];
  if (entries.length > 0 && mode !== "mail")
    reader.noteUnusable("STAFF", "is for IDENTITY_MODE=mail: the identity provider names the staff otherwise");
  const staff = new Map<string, Role>();
  for (const entry of entries) {
    const [name, address = ""] = entry.split(":", 2);
    const role = STAFF_ROLES.find((candidate) => candidate === name);
    const email = normalizeEmail(address);
    if (role === undefined)
      reader.noteUnusable(
        "STAFF",
        `has "${name}…", which is not ROLE:ADDRESS with a role of ${STAFF_ROLES.join(", ")}`,
      );
    else if (email === undefined) reader.noteUnusable("STAFF", `names the ${role} by what is no email address`);
    else if (staff.has(email)) reader.noteUnusable("STAFF", "names an address twice: an address has one role");
    else staff.set(email, role);
  }
  return staff;
}

/** How pages sign people in: OpenID Connect at the issuer; not at all without a client's id. The sandbox takes any. */
function readSignIn(reader: SettingsReader, issuer: string | undefined, sandbox: string | undefined) {
  const clientId = reader.getText("IDENTITY_CLIENT_ID") ?? (sandbox === undefined ? undefined : "partline");
  const clientSecret = reader.getSecret("IDENTITY_CLIENT_SECRET");
  const issuerUrl = issuer ?? sandbox;
  if (clientId === undefined) return undefined;
  if (issuerUrl === undefined || !URL.canParse(issuerUrl)) {
    reader.noteUnusable("IDENTITY_CLIENT_ID", "is for an issuer that is an address: set IDENTITY_ISSUER");
    return undefined;
  }
  return { issuer: issuerUrl, clientId, clientSecret };
}

/** An https address is a real provider's; a sandbox's begins with http. */
export function keepIfReal(address: string | undefined): string | undefined {
  return address?.toLowerCase().startsWith("https:") ? address : undefined;
}
