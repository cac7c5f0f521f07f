import { expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { ADMIN_TOKEN, startSystem, type System, type SystemClient } from "../support/system.ts";
import { newVisitor, openBrowser, overflow, press, VIEWPORT, violations } from "./chromium.ts";

/** A system that sells what a price file of Briggs & Stratton has, and a browser. */
export async function startSelling(
  prices: string,
  env: Record<string, string> = {},
): Promise<{ system: System; browser: Browser }> {
  const [system, browser] = await Promise.all([startSystem({ env }), openBrowser()]);
  await sell(system, prices);
  return { system, browser };
}

/** Imports a price file of Briggs & Stratton. */
export async function sell(system: SystemClient, prices: string): Promise<void> {
  const file = { rawBody: prices, adminToken: ADMIN_TOKEN, headers: { "Content-Type": "text/csv" } };
  expect((await system.request("catalog", "POST", "/catalog/import/bns", file)).status).toBe(200);
}

/** Somebody of the staff at the console. */
export interface Staff {
  page: Page;
  /** What the pages complain of. */
  complaints: string[];
  at(path: string): string;
  /**
   * For another test with what the browser has loaded: nobody is signed in, and nothing is left of what was changed.
   */
  reset(): Promise<void>;
  /** As the admin, by the pages of the console and of the identity provider: a second load of each. */
  signIn(path: string): Promise<void>;
  /** With a role of the identity provider, without its page. */
  comeInAs(role: string, path: string): Promise<void>;
  /** Within the console, as a link does: to load it takes a second of a processor. */
  goTo(path: string): Promise<void>;
  axeClean(): Promise<void>;
  button(name: string): Locator;
  inDialog(name: string): Locator;
  /** By keyboard alone. */
  press(name: string): Promise<void>;
}

export async function newStaff(
  system: SystemClient,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Staff> {
  const { page, complaints } = await newVisitor(browser, options);
  const at = (path: string): string => system.url("console") + path;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  return {
    page,
    complaints,
    at,
    button,
    inDialog: (name) => page.getByRole("dialog").getByRole("button", { name, exact: true }),
    async reset() {
      complaints.length = 0;
      // A page that is open asks to sign in again once nobody is.
      await page.goto("about:blank");
      await page.unrouteAll();
      await page.context().clearCookies();
      await page.setViewportSize(VIEWPORT);
    },
    async signIn(path) {
      await page.goto(at(path));
      await press(page.getByRole("link", { name: "Sign in" }));
      await press(page.getByRole("button", { name: "admin@partline.example" }));
      await page.waitForURL(at(path));
    },
    async comeInAs(role, path) {
      const token = await system.token("admin", { role });
      await page.context().addCookies([{ name: "partline_console_token", value: token, url: at("/") }]);
      await page.goto(at(path));
    },
    async goTo(path) {
      await page.evaluate(`history.pushState(null, "", "${at(path)}"); dispatchEvent(new PopStateEvent("popstate"))`);
    },
    async axeClean() {
      const url = page.url();
      expect([url, await violations(page), await overflow(page)]).toEqual([url, [], 0]);
    },
    press: (name) => press(button(name)),
  };
}
