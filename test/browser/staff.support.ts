import { expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { System } from "../support/system.ts";
import { newVisitor, overflow, violations } from "./chromium.ts";

/** Rules of axe that ask for colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Somebody of the staff at the console. */
export interface Staff {
  page: Page;
  /** What the pages complain of. */
  complaints: string[];
  at(path: string): string;
  signIn(path: string, who?: string): Promise<void>;
  /** With a role of the identity provider, without its page. */
  comeInAs(role: string, path: string): Promise<void>;
  axeClean(): Promise<void>;
  /** In dark, and then in light: the page as it is draws itself again, of which colours alone are new. */
  axeCleanInBoth(): Promise<void>;
  button(name: string): Locator;
  inDialog(name: string): Locator;
  /** By keyboard alone. */
  press(name: string): Promise<void>;
}

export async function newStaff(system: System, browser: Browser, options: BrowserContextOptions = {}): Promise<Staff> {
  const { page, complaints } = await newVisitor(browser, options);
  const at = (path: string): string => system.url("console") + path;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const shows = async (colorScheme: "light" | "dark"): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await eventually(async () => {
      const red = await page.evaluate<number>("+/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]");
      return red < 128 === (colorScheme === "dark");
    });
  };
  const staff: Staff = {
    page,
    complaints,
    at,
    button,
    inDialog: (name) => page.getByRole("dialog").getByRole("button", { name, exact: true }),
    async signIn(path, who = "admin@partline.example") {
      await page.goto(at(path));
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("button", { name: who }).click();
      await page.waitForURL(at(path));
    },
    async comeInAs(role, path) {
      const token = await system.token("admin", { role });
      await page.context().addCookies([{ name: "partline_console_token", value: token, url: at("/") }]);
      await page.goto(at(path));
    },
    async axeClean() {
      const url = page.url();
      expect([url, await violations(page), await overflow(page)]).toEqual([url, [], 0]);
    },
    async axeCleanInBoth() {
      await shows("dark");
      const url = page.url();
      expect([url, await violations(page, OF_COLOURS)]).toEqual([url, []]);
      await shows("light");
      await staff.axeClean();
    },
    async press(name) {
      await button(name).focus();
      await page.keyboard.press("Enter");
    },
  };
  return staff;
}
