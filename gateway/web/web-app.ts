import { randomUUID } from "node:crypto";
import type { TokenUser } from "../../broker/contract/context.ts";
import type { App } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Page, PageEntry } from "../pages.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { appPage, PAGE_KEY_HEADER } from "./app-pages.ts";
import { assetPages } from "./assets.ts";
import { browserSession, type BrowserSession } from "./browser-session.ts";
import { ASSETS_PATH, builtApp } from "./build.ts";
import { identityProvider } from "./identity-provider.ts";
import { CALLBACK_PATH, signInPages } from "./sign-in.ts";

interface WebAppDeps {
  settings: Settings;
  authenticator: Pick<Authenticator, "authenticate">;
  logger: { warn(message: string): void };
}

/** What makes an entry point an app: pages that are built while the services start, and a browser's session. */
export interface WebAppParts {
  /** When the pages are built. */
  ready: Promise<unknown>;
  pages: PageEntry[];
  /** Of every other path. */
  page: Page;
  session: BrowserSession;
  /** Does not count what a page's server half asks for: the page was counted. */
  countedOnce(limit: RateLimiter): RateLimiter;
}

export function createWebApp(app: App, { settings, authenticator, logger }: WebAppDeps): WebAppParts {
  const origin = originOf(app, settings);
  const session = browserSession(app, origin);
  const { signIn } = settings.identity;
  const pageKey = randomUUID();
  const userOf = async (token: string): Promise<TokenUser | undefined> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await authenticator.authenticate({ headers, access: "user", entry: app })).user;
  };
  const ready = builtApp(app).then((built) => ({
    page: appPage(built, { app, origin, settings, session, userOf, pageKey }),
    assets: new Map(assetPages(built)),
  }));
  // Whoever starts the entry point hears of it.
  ready.catch(() => undefined);
  const page: Page = { answer: async (req) => (await ready).page.answer(req) };
  return {
    ready,
    page,
    pages: [
      ["/", page],
      [
        `${ASSETS_PATH}{slug}`,
        {
          unlimited: true,
          answer: async (req) => {
            const asset = (await ready).assets.get(req.exchange!.path);
            if (!asset) throw new PartlineError("NOT_FOUND", "There is no such file");
            return asset.answer(req);
          },
        },
      ],
      ...signInPages({
        session,
        verify: userOf,
        provider: signIn && identityProvider(signIn, origin + CALLBACK_PATH),
        warn: (message) => logger.warn(message),
      }),
    ],
    session,
    countedOnce: (limit) => async (req) => {
      if (req.headers[PAGE_KEY_HEADER] !== pageKey) await limit(req);
    },
  };
}

/** Where people open an app. */
function originOf(app: App, settings: Settings): string {
  switch (app) {
    case "shop":
      return settings.storeUrl;
    case "console":
      return settings.consoleUrl;
  }
}
