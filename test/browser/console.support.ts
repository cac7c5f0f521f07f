import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import type { System } from "../support/system.ts";
import { overflow, violations } from "./chromium.ts";

/** Signs in on a page of the console, and comes back to it. */
export async function signIn(
  page: Page,
  system: System,
  path: string,
  { who = "admin@partline.example", link = "Sign in" }: { who?: string; link?: string } = {},
): Promise<void> {
  const url = system.url("console") + path;
  await page.goto(url);
  await page.getByRole("link", { name: link }).click();
  await page.getByRole("button", { name: who }).click();
  await page.waitForURL(url);
}

export async function axeClean(page: Page): Promise<void> {
  expect([page.url(), await violations(page), await overflow(page)]).toEqual([page.url(), [], 0]);
}
