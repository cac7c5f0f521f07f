import { isPartlineError } from "@partline/client";
import type { PageAnswer, PageRequest } from "../shared/app.ts";
import { renderDocument } from "../shared/document.tsx";
import { chooseLanguage, type Language } from "../shared/language.ts";
import { localPath } from "../shared/local-path.ts";
import { POLICIES, toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import { serverClient } from "../shared/partline.ts";
import { ShopProvider } from "./context.tsx";
import { LOGO } from "./layout.tsx";
import { type Missing, Moved, NotHere, type PageContext } from "./page.ts";
import { parseChosenMachine } from "./machine/chosen-machine.ts";
import { renderMarkdown } from "./markdown.ts";
import type { ProblemData } from "./pages/problem.tsx";
import { createManifest, MANIFEST_PATH } from "./app-manifest.ts";
import { OfflinePage } from "./offline/offline-page.tsx";
import { OFFLINE_PATH, WORKER_PATH } from "./offline/paths.ts";
import { createWorker } from "./offline/worker.ts";
import { engineFileAt, type EngineFile } from "./engine-files.ts";
import { getDefinition, pageAt, type PageName } from "./routes.ts";
import { ShopPage, type PageData } from "./shop.tsx";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";
import { es } from "./texts/es.ts";

const TEXTS: Record<Language, Texts> = { en, de, es };
const HTML = "text/html; charset=utf-8";
const UNKNOWN = "(unknown page)";

/** Renders the page of an address. */
export async function answer(request: PageRequest): Promise<PageAnswer> {
  const { path, query, failure: failed } = request;
  if (failed !== undefined) return problemPage(request, failed === 429 ? "many-requests" : "unavailable");
  const forEngines = engineFileAt(path);
  if (forEngines) return engineFile(request, forEngines);
  if (path === MANIFEST_PATH) return manifest(request);
  if (path === OFFLINE_PATH) return { status: 200, type: HTML, body: renderOffline(request), label: path };
  if (path === WORKER_PATH) return answerWorker(request);
  const route = pageAt(path);
  if (!route) return problemPage(request, "not-found");
  const { name, params } = route;
  const definition = getDefinition(name);
  const context = createContext(request);
  try {
    const partline = serverClient(request.api);
    const sources = { texts: TEXTS[context.language], policyTexts: request.shop.policies, renderMarkdown };
    const { isCrawler } = request;
    const data = await definition.load({ ...context, ...sources, partline, isCrawler, params, query });
    return { ...page(request, name, data), label: definition.path };
  } catch (error) {
    if (error instanceof Moved) {
      const { status, location } = error;
      return { status, type: HTML, body: "", headers: { Location: location }, label: definition.path };
    }
    return failure(request, error, definition.path, definition.missing);
  }
}

function manifest({ shop, cookies, acceptLanguage }: PageRequest): PageAnswer {
  const { homeDescription_parts: description } = TEXTS[chooseLanguage(cookies.language, acceptLanguage)];
  const body = createManifest(shop, description);
  return { status: 200, type: "application/manifest+json", body, label: MANIFEST_PATH };
}

/** The page that a browser keeps for when it has no network: the same for everyone who asks. */
function renderOffline(request: PageRequest): string {
  const { assets, cookies, shop, themeStyle: style } = request;
  const { language, theme } = cookies;
  const context = createContext({ ...request, user: undefined, cookies: { language, theme } });
  const texts = TEXTS[context.language];
  return renderDocument({
    language: context.language,
    theme: context.theme,
    favicon: shop.favicon,
    style,
    head: { title: `${texts.offlineTitle} · ${context.shopName}` },
    assets: { ...assets, fonts: [] },
    content: (
      <ShopProvider value={{ ...context, texts, partline: undefined }}>
        <OfflinePage />
      </ShopProvider>
    ),
  });
}

function answerWorker(request: PageRequest): PageAnswer {
  const { logo } = request.shop;
  const files = [request.assets.style, ...(logo === null ? [] : [toPicturePath(logo, LOGO)])];
  const body = createWorker(renderOffline(request), files);
  return {
    status: 200,
    type: "text/javascript; charset=utf-8",
    body,
    // A browser asks at each page whether there is another, and shows what the shop says now.
    headers: { "Cache-Control": "no-cache" },
    label: WORKER_PATH,
  };
}

async function engineFile(request: PageRequest, { label, make }: EngineFile): Promise<PageAnswer> {
  try {
    return { status: 200, ...(await make(serverClient(request.api), request.origin)), label };
  } catch (error) {
    return failure(request, error, label);
  }
}

/** @throws what is no failure of the API */
function failure(request: PageRequest, error: unknown, label: string, missing: Missing = "not-found"): PageAnswer {
  if (error instanceof NotHere || isPartlineError(error, "NOT_FOUND", "VALIDATION_FAILED", "FORBIDDEN", "UNAUTHORIZED"))
    return { ...problemPage(request, missing), label };
  if (isPartlineError(error)) return { ...problemPage(request, "unavailable"), label };
  throw error;
}

function problemPage(request: PageRequest, kind: Missing | "unavailable" | "many-requests"): PageAnswer {
  const answered = page(request, "problem", { kind } satisfies ProblemData);
  if (kind === "many-requests") return { ...answered, status: 429, headers: { "Cache-Control": "no-store" } };
  return kind === "unavailable"
    ? { ...answered, status: 503, headers: { "Retry-After": "5", "Cache-Control": "no-store" } }
    : { ...answered, status: 404 };
}

function page(request: PageRequest, name: PageName, data: unknown): PageAnswer {
  const { assets, origin, shop, themeStyle: style } = request;
  const context = createContext(request);
  const { language, theme } = context;
  const texts = TEXTS[language];
  const { head, View } = getDefinition(name);
  const modules = [
    `texts/${language}.ts`,
    `pages/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`,
  ];
  const preloads = modules.flatMap((path) => assets.chunks[`packages/web/src/shop/${path}`] ?? []);
  const body = renderDocument({
    language,
    theme,
    favicon: shop.favicon,
    manifest: MANIFEST_PATH,
    style,
    head: head(data, { texts, language, origin, shopName: context.shopName }),
    assets,
    preloads: [...new Set(preloads)],
    data: { name, context, data } satisfies PageData,
    content: <ShopPage View={View} data={data} shop={{ ...context, texts, partline: undefined }} />,
  });
  return { status: 200, type: HTML, body, label: UNKNOWN };
}

function createContext(request: PageRequest): PageContext {
  const { path, query, cookies, acceptLanguage, user, canSignIn, signsInByMail, isTaxed, shop } = request;
  const { legalName, address, phone, email, openingHours, taxIds, pickupPlaces, returns } = shop;
  const text = query.toString();
  return {
    language: chooseLanguage(cookies.language, acceptLanguage),
    theme: cookies.theme === "light" || cookies.theme === "dark" ? cookies.theme : undefined,
    machine: parseChosenMachine(cookies.machine),
    listView: cookies.list === "tiles" ? "tiles" : "rows",
    user,
    canSignIn,
    signsInByMail,
    isTaxed,
    shopName: shop.shopName,
    logo: shop.logo,
    facts: { legalName, address, phone, email, openingHours, taxIds, pickupPlaces, returns },
    policies: POLICIES.filter((name) => Object.values(shop.policies[name]).some((text) => text !== null)),
    timeZone: shop.timeZone,
    shipTo: request.shipTo,
    // A browser takes a path that begins with two slashes for another site's address.
    address: localPath(text === "" ? path : `${path}?${text}`),
  };
}
