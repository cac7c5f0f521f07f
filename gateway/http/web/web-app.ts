import { randomUUID } from "node:crypto";
import type { TokenUser } from "../../../broker/contract/context.ts";
import type { App } from "../../../broker/contract/define.ts";
import type { ServiceBroker } from "moleculer";
import type { Settings } from "../../../broker/settings.ts";
import { call } from "../../../services/contracts.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import type { Authenticator } from "../../auth/authenticator.ts";
import type { Page, PageEntry } from "../pages.ts";
import type { RateLimiter, EdgeRequest, Payload } from "@partline/http-edge";
import { PAGE_KEY_HEADER, pageRenderer } from "./app-pages.ts";
import { createAssetPages } from "./assets.ts";
import { createBrowserSession } from "./browser-session.ts";
import { ASSETS_PATH, builtApp } from "@partline/web";
import { createIdentityProvider } from "./identity-provider.ts";
import { CALLBACK_PATH, createSignInPages, type MailSignIn } from "./sign-in.ts";

function createMailSignIn(broker: ServiceBroker, app: App): MailSignIn {
  return {
    requestLink: async ({ back, ...request }) => {
      await call(broker, "user.requestSignIn", { ...request, app, return: back });
    },
    redeemLink: async (token) => (await call(broker, "user.redeemSignIn", { token })).token,
  };
}

/** Turns an entry point into an app: pages that are built while the services start, and a browser's session. */
export function createWebApp(
  app: App,
  settings: Settings,
  authenticator: Pick<Authenticator, "authenticate">,
  logger: { warn(message: string): void },
  broker: ServiceBroker,
) {
  const origin = { shop: settings.storeUrl, console: settings.consoleUrl }[app];
  const session = createBrowserSession(app, origin);
  const { signIn } = settings.identity;
  const pageKey = randomUUID();
  const findUser = async (token: string): Promise<TokenUser | undefined> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await authenticator.authenticate({ headers, access: "user", entry: app })).user;
  };
  const ready = builtApp(app).then((built) => ({
    render: pageRenderer(built, { app, origin, settings, session, userOf: findUser, pageKey }),
    assets: new Map(createAssetPages(built)),
  }));
  // The start of the entry point reports it.
  ready.catch(() => undefined);
  const render = async (req: EdgeRequest, failure?: number): Promise<Payload> => (await ready).render(req, failure);
  const page: Page = { answer: (req) => render(req), unavailable: render };
  const pages: PageEntry[] = [
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
    ...createSignInPages({
      session,
      verify: findUser,
      provider:
        settings.identity.mode === "mail"
          ? createMailSignIn(broker, app)
          : signIn && createIdentityProvider(signIn, origin + CALLBACK_PATH),
      warn: (message) => logger.warn(message),
    }),
  ];
  return {
    ready,
    pages,
    /** Page of every other path. */
    page,
    session,
    /** Does not count what a page's server half asks for: the page was counted. */
    countOnce:
      (limit: RateLimiter): RateLimiter =>
      async (req) => {
        if (req.headers[PAGE_KEY_HEADER] !== pageKey) await limit(req);
      },
  };
}
