import "../shared/base.css";
import "./shop.css";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { pageData, ROOT_ID } from "../shared/hydration.ts";
import type { Language } from "../shared/language.ts";
import { browserClient } from "../shared/partline.ts";
import type { PageDefinition } from "./page.ts";
import type { PageName } from "./routes.ts";
import { ShopPage, type PageData } from "./shop.tsx";
import { WORKER_PATH } from "./offline/paths.ts";
import type { Texts } from "./texts/en.ts";

const TEXTS: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import("./texts/en.ts")).en,
  de: async () => (await import("./texts/de.ts")).de,
  es: async () => (await import("./texts/es.ts")).es,
};
/** A browser loads the page that it shows, and nothing of the others. */
function loadPage(name: PageName): Promise<object> {
  switch (name) {
    case "home":
      return import("./pages/home.tsx");
    case "results":
      return import("./pages/results.tsx");
    case "compare":
      return import("./pages/compare.tsx");
    case "part":
      return import("./pages/part.tsx");
    case "machines":
      return import("./pages/machines.tsx");
    case "machine":
      return import("./pages/machine.tsx");
    case "figure":
      return import("./pages/figure.tsx");
    case "manual":
      return import("./pages/manual.tsx");
    case "desk":
      return import("./pages/desk.tsx");
    case "cart":
      return import("./pages/cart.tsx");
    case "success":
      return import("./pages/success.tsx");
    case "cancel":
      return import("./pages/cancel.tsx");
    case "orders":
      return import("./pages/orders.tsx");
    case "account":
      return import("./pages/account.tsx");
    case "ownOrder":
      return import("./pages/own-order.tsx");
    case "findOrder":
      return import("./pages/find-order.tsx");
    case "linkedOrder":
      return import("./pages/linked-order.tsx");
    case "policy":
      return import("./pages/policy.tsx");
    case "signIn":
      return import("./pages/sign-in.tsx");
    case "problem":
      return import("./pages/problem.tsx");
  }
}

/** Keeps the page that is shown without a network, once everything else of this one is here. */
function keepOfflinePage(): void {
  if (!("serviceWorker" in navigator)) return;
  // Some browsers refuse it to a private window: they show their own page.
  navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" }).catch(reportError);
}

const { name, context, data } = pageData() as PageData;
const [texts, modules] = await Promise.all([TEXTS[context.language](), loadPage(name)]);
const { View } = (modules as Record<PageName, PageDefinition<unknown>>)[name];
// A transition is worked off in slices, so that a slow phone answers a finger between two of them. A finger that is
// quicker has React hydrate at once what it touches: each Suspense of a page bounds how much that is.
startTransition(() => {
  hydrateRoot(
    document.getElementById(ROOT_ID)!,
    <ShopPage View={View} data={data} shop={{ ...context, texts, partline: browserClient("cart") }} />,
  );
});
if (document.readyState === "complete") keepOfflinePage();
else addEventListener("load", keepOfflinePage);
