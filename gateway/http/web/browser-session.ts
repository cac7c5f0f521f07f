import { decodeJwt } from "jose";
import { parseCookie, stringifySetCookie } from "cookie";
import { sessionIdRule } from "../../../broker/contract/common.ts";
import type { App } from "../../../broker/contract/define.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { isFromForeignPage } from "../../auth/access.ts";
import type { EdgeRequest } from "@partline/http-edge";

export type Cookies = Readonly<Record<string, string | undefined>>;

export type BrowserSession = ReturnType<typeof createBrowserSession>;

/** Lifetime of a guest's cookie in seconds, renewed by each page; equals that of an unchanged guest cart. */
const GUEST_SECONDS = 90 * 86_400;
const SIGN_IN_SECONDS = 600;
const SAFE = ["GET", "HEAD", "OPTIONS"];

export function readCookies({ headers }: Pick<EdgeRequest, "headers">): Cookies {
  return parseCookie(headers.cookie ?? "");
}

/**
 * Creates a browser's session with an app: a user's token and a guest's id in cookies that scripts cannot read.
 * @param origin of the app; cookies of an https one never travel in the clear
 */
export function createBrowserSession(app: App, origin: string) {
  const secure = origin.startsWith("https:");
  // Apps on other ports of one host share its cookies.
  const name = (what: string): string => `${secure ? "__Host-" : ""}partline_${app}_${what}`;
  const keep = (what: string, value: string, maxAge: number): string =>
    stringifySetCookie({ name: name(what), value, maxAge, httpOnly: true, sameSite: "lax", secure, path: "/" });
  const forget = (what: string): string => keep(what, "", 0);

  const findToken = (cookies: Cookies): string | undefined => {
    const token = cookies[name("token")];
    return token !== undefined && getSecondsLeft(token) > 0 ? token : undefined;
  };
  const findGuest = (cookies: Cookies): string | undefined => {
    const id = cookies[name("guest")];
    return id !== undefined && sessionIdRule.pattern.test(id) ? id : undefined;
  };
  /** Refuses what a page of another origin makes the browser send. @throws FORBIDDEN */
  const refuseForeign = ({ method = "GET", headers }: EdgeRequest): void => {
    if (!SAFE.includes(method) && isFromForeignPage(headers))
      throw new PartlineError("FORBIDDEN", "Pages of another origin may not use this browser's session");
  };

  return {
    /** Gives a request the credentials of its cookies, where it has no header for them. @throws FORBIDDEN */
    apply(req: EdgeRequest): void {
      const { headers } = req;
      if (headers.cookie === undefined) return;
      const cookies = readCookies(req);
      const token = headers.authorization || headers["x-admin-token"] ? undefined : findToken(cookies);
      const guest = headers["x-session-id"] ? undefined : findGuest(cookies);
      if (token === undefined && guest === undefined) return;
      refuseForeign(req);
      if (token !== undefined) headers.authorization = `Bearer ${token}`;
      if (guest !== undefined) headers["x-session-id"] = guest;
    },
    refuseForeign,
    token: findToken,
    guest: findGuest,
    /** Values of Set-Cookie, as are those below. */
    keepToken: (token: string): string => keep("token", token, getSecondsLeft(token)),
    keepGuest: (id: string): string => keep("guest", id, GUEST_SECONDS),
    forgetToken: (): string => forget("token"),
    forgetGuest: (): string => forget("guest"),
    /** State of a sign-in until the provider sends the browser back. */
    signIn: {
      read: (cookies: Cookies): string | undefined => cookies[name("sign_in")],
      keep: (value: string): string => keep("sign_in", value, SIGN_IN_SECONDS),
      forget: (): string => forget("sign_in"),
    },
  };
}

function getSecondsLeft(token: string): number {
  try {
    return Math.max(0, Math.floor((decodeJwt(token).exp ?? 0) - Date.now() / 1_000));
  } catch {
    return 0;
  }
}
