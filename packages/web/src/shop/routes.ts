import type { PageDefinition } from "./page.ts";
import { account } from "./pages/account.tsx";
import { cancel } from "./pages/cancel.tsx";
import { cart } from "./pages/cart.tsx";
import { compare } from "./pages/compare.tsx";
import { desk } from "./pages/desk.tsx";
import { figure } from "./pages/figure.tsx";
import { findOrder } from "./pages/find-order.tsx";
import { home } from "./pages/home.tsx";
import { linkedOrder } from "./pages/linked-order.tsx";
import { machine } from "./pages/machine.tsx";
import { machines } from "./pages/machines.tsx";
import { manual } from "./pages/manual.tsx";
import { orders } from "./pages/orders.tsx";
import { ownOrder } from "./pages/own-order.tsx";
import { part } from "./pages/part.tsx";
import { policy } from "./pages/policy.tsx";
import { problem } from "./pages/problem.tsx";
import { results } from "./pages/results.tsx";
import { signIn } from "./pages/sign-in.tsx";
import { success } from "./pages/success.tsx";

/** Every page by its name. Of two that a path fits, it is the first: `/orders/find` is no link of a mail. */
const PAGES = {
  home,
  results,
  compare,
  part,
  machines,
  machine,
  figure,
  manual,
  desk,
  cart,
  success,
  cancel,
  orders,
  account,
  ownOrder,
  findOrder,
  linkedOrder,
  policy,
  signIn,
  problem,
} as const;
export type PageName = keyof typeof PAGES;

interface Found {
  name: PageName;
  params: Record<string, string>;
}

/** The page of a path; a segment that is not well encoded is nobody's. */
export function pageAt(path: string): Found | undefined {
  for (const [name, { path: template }] of Object.entries(PAGES)) {
    const params = match(template, path);
    if (params) return { name: name as PageName, params };
  }
  return undefined;
}

/** A page whose data's type is its own affair. */
export function getDefinition(name: PageName): PageDefinition<unknown> {
  return PAGES[name] as PageDefinition<unknown>;
}

function match(template: string, path: string): Record<string, string> | undefined {
  const templateParts = template.split("/");
  const pathParts = path.split("/");
  if (templateParts.length !== pathParts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of templateParts.entries()) {
    const value = pathParts[index]!;
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      if (segment !== value) return undefined;
      continue;
    }
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
    // No address of the API has these as a segment.
    if (["", ".", ".."].includes(params[name])) return undefined;
  }
  return params;
}
