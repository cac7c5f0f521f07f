import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { TokenUser } from "../../../broker/contract/context.ts";
import { APPS, type App } from "../../../broker/contract/define.ts";
import { listScopes } from "../../../broker/contract/scopes.ts";
import { toEntryPointUrl } from "../../../broker/settings/addresses.ts";
import type { Settings } from "../../../broker/settings.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import type { BuiltApp, PageUser, WebApp } from "@partline/web";
import { createHtmlHeaders } from "../pages.ts";
import { getExchange, type EdgeRequest, type Payload } from "@partline/http-edge";
import { findEncoding, type Encoding } from "./assets.ts";
import { createThemeStyle, toStyleSource } from "./theme.ts";
import { readCookies, type BrowserSession } from "./browser-session.ts";

/** Header of requests by a page's server half. The rate limit does not count them: it counted the page. */
export const PAGE_KEY_HEADER = "x-partline-page";

const CRAWLERS = /bot\b|crawl|spider|slurp/i;

interface AppPageDeps {
  app: App;
  origin: string;
  settings: Settings;
  session: BrowserSession;
  /** @throws UNAUTHORIZED */
  userOf(token: string): Promise<TokenUser | undefined>;
  pageKey: string;
}

/** The pages of an app, rendered here and brought to life by the browser. It asks only what anybody can. */
export function pageRenderer(built: BuiltApp, { app, origin, settings, session, userOf, pageKey }: AppPageDeps) {
  const { answer } = createRequire(import.meta.url)(built.server) as WebApp;
  const isStyledByScript = APPS[app].styledByScript;
  // Suppliers have their pictures elsewhere.
  const createSecurityHeaders = (styleNonce: string, themeStyle: string): Record<string, string> => {
    const nonce = isStyledByScript ? ` 'nonce-${styleNonce}'` : "";
    const theme = themeStyle === "" ? "" : ` ${toStyleSource(themeStyle)}`;
    return createHtmlHeaders(
      `style-src 'self'${nonce}${theme}; img-src 'self' data: https:; font-src 'self'; manifest-src 'self'`,
      "'self'",
    );
  };

  const findPageUser = async (token: string | undefined): Promise<PageUser | "refused" | undefined> => {
    if (token === undefined) return undefined;
    try {
      const user = await userOf(token);
      return user && { id: user.sub, email: user.email, scopes: listScopes(user.role) };
    } catch (error) {
      if (error instanceof PartlineError) return error.code === "UNAUTHORIZED" ? "refused" : undefined;
      throw error;
    }
  };

  return async (req: EdgeRequest, failure?: number): Promise<Payload> => {
    const exchange = getExchange(req);
    const cookies = readCookies(req);
    const token = session.token(cookies);
    const pageUser = await findPageUser(token);
    const user = pageUser === "refused" ? undefined : pageUser;
    const guestId = session.guest(cookies) ?? randomUUID();
    const styleNonce = randomUUID();
    const themeStyle = isStyledByScript ? "" : createThemeStyle(settings.shop.colours);
    const { label, headers, ...page } = await answer({
      path: exchange.path,
      query: new URLSearchParams(exchange.query),
      origin,
      api: {
        url: toEntryPointUrl(settings, app),
        headers: {
          [PAGE_KEY_HEADER]: pageKey,
          "X-Request-Id": exchange.requestId,
          "X-Session-Id": guestId,
          ...(user ? { Authorization: `Bearer ${token}` } : {}),
        },
      },
      acceptLanguage: req.headers["accept-language"] ?? "",
      isCrawler: CRAWLERS.test(req.headers["user-agent"] ?? ""),
      // Those that pages set themselves.
      cookies: { language: cookies.language, theme: cookies.theme, machine: cookies.machine, list: cookies.list },
      user,
      canSignIn: settings.identity.mode === "mail" || settings.identity.signIn !== undefined,
      signsInByMail: settings.identity.mode === "mail",
      isTaxed: settings.payment.automaticTax,
      shop: settings.shop,
      shipTo: settings.shipping.shipTo,
      assets: built.assets,
      styleNonce,
      themeStyle,
      failure,
    });
    exchange.routeLabel = label;
    const cookieHeaders = [session.keepGuest(guestId), ...(pageUser === "refused" ? [session.forgetToken()] : [])];
    return encodePayload(req, {
      ...page,
      status: failure ?? page.status,
      headers: {
        ...createSecurityHeaders(styleNonce, themeStyle),
        // Forms say where they are from; other sites never learn an address, which may hold an order's token.
        "Referrer-Policy": "same-origin",
        // A browser may show a guest's again on the way back; a user's not to the next person, after a sign-out.
        "Cache-Control": user ? "private, no-store" : "private, no-cache",
        "Set-Cookie": cookieHeaders,
        ...headers,
      },
    });
  };
}

const LEAST_COMPRESSED = 1_024;
const COMPRESS: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => promisify(gzip)(text),
};

async function encodePayload(req: EdgeRequest, { body, ...payload }: Payload): Promise<Payload> {
  const encoding = findEncoding(req);
  const headers = { ...payload.headers, Vary: "Accept-Encoding, Accept-Language, Cookie" };
  if (!encoding || typeof body !== "string" || body.length < LEAST_COMPRESSED) return { ...payload, body, headers };
  return {
    ...payload,
    body: await COMPRESS[encoding](body),
    headers: { ...headers, "Content-Encoding": encoding },
  };
}
