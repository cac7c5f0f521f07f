import { afterAll, beforeAll, expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { joinSystem } from "../support/shared-system.ts";
import type { SystemClient } from "../support/system.ts";
import { browserTest, hasBrowser, newVisitor, openBrowser } from "./chromium.ts";
import { picture } from "./screens.ts";
import { askCosts, machineIsKnown, mailsOf, pay } from "./shopper.support.ts";
import { newStaff } from "./staff.support.ts";

/** The walk of docs/tutorial.md with its pictures, by a pointer; the other suites go by keyboard. */

let system: SystemClient;
let end: () => Promise<void>;
let browser: Browser;

beforeAll(async () => {
  if (hasBrowser) [{ system, end }, browser] = await Promise.all([joinSystem({ readsSamples: true }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await end?.();
});

const TUTORIAL = join(import.meta.dirname, "..", "..", "docs", "tutorial.md");
const WINDOW = { viewport: { width: 1280, height: 800 }, reducedMotion: "no-preference" as const };
const taken: string[] = [];

async function step(page: Page, name: string): Promise<void> {
  taken.push(`walk-${taken.length + 1}-${name}`);
  await picture(page, taken.at(-1)!);
}

browserTest("a carburetor is found by its machine's figure, paid and shipped, with a mail for each", async () => {
  await machineIsKnown(system, "Kohler");
  // The catalog knows the make before its manual is read.
  const machine = new URL("/machines/kohler-ch-740s", system.url("shop"));
  await eventually(async () => (await fetch(machine)).status === 200, 120_000);
  const visitor = await newVisitor(browser, WINDOW);
  const { page } = visitor;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await page.goto(system.url("shop"));
  await page.getByRole("main").getByRole("link", { name: "Find parts by machine" }).click();
  await page.getByLabel("Model").fill("ch740");
  await button("Find").click();
  await page.getByRole("link", { name: "Kohler CH-740S" }).click();
  await page.getByRole("heading", { name: /CH-740S/, level: 1 }).waitFor();
  // Its small pictures are drawn now, one after another.
  await page.waitForLoadState("networkidle", { timeout: 120_000 });
  await step(page, "machine");

  await page.getByRole("link", { name: "Figure 1-1: Carburetor" }).click();
  const carburetor = page.getByRole("listitem").filter({ hasText: "32 048 48-S" });
  await carburetor.getByRole("button", { name: /^Add to cart/ }).click();
  await carburetor.getByText("In your cart: 1.").waitFor();
  await step(page, "figure");
  await page.goBack();
  await page.getByRole("link", { name: "Figure 2-2: Exhaust" }).click();
  await button(/^1: Muffler/).click();
  await page.locator('[aria-current="true"]').filter({ hasText: "24 667 39-S" }).waitFor();
  await step(page, "drawing");

  await page.getByRole("link", { name: "Cart 1 piece" }).click();
  await page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "View cart" }).click();
  const askForCosts = async (): Promise<void> => {
    await askCosts(page);
    await page.getByRole("radiogroup").getByRole("radio").first().check();
  };
  await askForCosts();
  await step(page, "cart");
  await button(/^Pay \$/).click();
  // The dealer's price is another one than the catalog's. The drawing's list has the catalog's, unless another suite
  // has had the dealer asked for the part a moment before.
  const isPaying = page.waitForURL(/\/c\/pay\//);
  const newPrices = button("Use the new prices");
  await Promise.race([isPaying, newPrices.waitFor()]);
  if (await newPrices.isVisible()) {
    await newPrices.click();
    await page.getByText(/The price is now/).waitFor({ state: "detached" });
    await askForCosts();
    await button(/^Pay \$/).click();
  }
  await isPaying;
  await step(page, "payment");
  const number = await pay(page, "newcomer@buyer.example");
  await step(page, "success");

  const mailbox = await page.context().newPage();
  const subjects = async (): Promise<string[]> => (await mailsOf(system, number)).map(({ subject }) => subject);
  await eventually(async () => (await subjects()).length === 1, 30_000);
  const read = async (subject: string): Promise<void> => {
    await mailbox.goto(system.sandboxUrl("mailbox"));
    await mailbox.getByRole("link", { name: subject, exact: true }).click();
    await mailbox.getByText(number).first().waitFor();
  };
  await read(`Your order ${number}`);
  await step(mailbox, "mail");
  const link = /http\S+\/orders\/[\w.-]+/.exec((await mailsOf(system, number))[0]!.text)![0];
  await page.goto(link);
  await page.getByText("We have your order and are getting it ready.").waitFor();
  await step(page, "order");

  const staff = await newStaff(system, browser, WINDOW);
  await staff.signIn("/orders");
  await staff.page.getByRole("link", { name: number }).waitFor();
  await step(staff.page, "queue");
  await staff.page.getByRole("link", { name: number }).click();
  await staff.button("Ship").click();
  await staff.page.getByLabel("Carrier").fill("ups");
  await staff.page.getByLabel("Tracking number").fill("1Z999AA10123456784");
  await step(staff.page, "ship");
  await staff.inDialog("Ship").click();
  await staff.page.getByText("Email: shipped").waitFor();
  await step(staff.page, "shipped");

  await eventually(async () => (await subjects()).length === 2, 30_000);
  expect((await subjects()).sort()).toEqual([`Your order ${number}`, `Your order ${number} is on its way`]);
  await read(`Your order ${number} is on its way`);
  await step(mailbox, "second-mail");
  await page.reload();
  await page.getByText("All items have shipped.").waitFor();
  await page.getByText(/1Z999AA10123456784/).waitFor();
  await step(page, "on-its-way");

  // The tutorial shows each of them, in this order.
  const shown = [...readFileSync(TUTORIAL, "utf8").matchAll(/\(screens\/(walk-[\w-]+)\.webp\)/g)].map(
    ([, name]) => name,
  );
  expect(shown).toEqual(taken);
  expect([...visitor.complaints, ...staff.complaints]).toEqual([]);
});
