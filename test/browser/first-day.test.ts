import { afterAll, beforeAll, expect } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Browser } from "playwright-core";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";
import { browserTest, hasBrowser, newVisitor, openBrowser, press } from "./chromium.ts";
import { linkTo, pay, toPayment } from "./shopper.support.ts";
import { newStaff, sell } from "./staff.support.ts";

/** What docs/first-day.md has a dealer do. */

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "first-day.md"), "utf8").replaceAll(
  /\s+/g,
  " ",
);
const OWNER = "jo@shop.example";

let system: System;
let browser: Browser;

beforeAll(async () => {
  const env = hasBrowser ? runSetup() : {};
  if (hasBrowser) [system, browser] = await Promise.all([startSystem({ mode: "embedded", env }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

/** Answers as the page does. A system of the tests has addresses and stand-ins of its own. */
function runSetup(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "first-day-"));
  const file = join(folder, "partline.env");
  const answers = ["http://127.0.0.1:3100", "", "", OWNER, "", "", "sandbox", "sandbox", "", "", ""];
  const { stdout } = spawnSync(process.execPath, ["bin/setup.ts"], {
    env: { ...CHILD_ENVIRONMENT, SETTINGS_FILE: file },
    input: answers.map((answer) => `${answer}\n`).join(""),
    encoding: "utf8",
  });
  expect(stdout).toContain(quoted("Nothing is missing"));
  const settings = parseEnv(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  const names = ["IDENTITY_MODE", "STAFF", "SHOP_EMAIL", "DIS_URL", "TIRE_SUPPLIER_URL"];
  return Object.fromEntries(names.map((name) => [name, settings[name]!]));
}

/** A name that the page quotes. */
function quoted(name: string): string {
  expect(PAGE).toContain(`"${name}"`);
  return name;
}

function readPrices(): string {
  const [, lines = ""] = /`prices\.csv`: ((?:[^`]+?))(?= In the console)/.exec(PAGE) ?? [];
  return lines.replaceAll(/ (?=[A-Z]{2}-\d)/g, "\n");
}

async function readSignInLink(): Promise<string> {
  const mail = await eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { recipient: string; text: string }[] };
    return mails.find(({ recipient }) => recipient === OWNER);
  });
  return /http\S+/.exec(mail.text)![0];
}

const countOnHand = async (id: string): Promise<number> => {
  const { body } = await system.request("gateway", "GET", `/api/admin/parts/${id}/stock`, { adminToken: ADMIN_TOKEN });
  return (body as { places: { onHand: number }[] }).places[0]!.onHand;
};

browserTest("a dealer's first day goes as its page says", async () => {
  const staff = await newStaff(system, browser);
  const { page } = staff;
  await page.goto(staff.at("/"));
  await page.getByLabel(/email/i).fill(OWNER);
  await staff.press("Send the link");
  await page.goto(await readSignInLink());
  await staff.press(quoted("Sign in"));
  const shopFacts = page.getByRole("listitem").filter({ hasText: "Enter your shop's name" });
  await shopFacts.getByRole("img", { name: "to do" }).waitFor();
  await staff.axeClean();

  await press(shopFacts.getByRole("link"));
  await page.getByRole("textbox", { name: "Shop name" }).fill("Reno Parts");
  await page.getByRole("textbox", { name: "Address", exact: true }).fill("12 Wharf Road\nReno, NV 89501");
  await page.getByRole("textbox", { name: "Phone" }).fill("+1 775 555 0100");
  await staff.press("Save");
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.goto(staff.at("/"));
  await shopFacts.getByRole("img", { name: "done" }).waitFor();

  const prices = readPrices();
  await page.goto(staff.at("/price-files"));
  await page.getByLabel("Vendor", { exact: true }).selectOption("BNS");
  await page.getByLabel(/^Price file \(/).setInputFiles({
    ...{ name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from(prices) },
  });
  await staff.press(quoted("Check first"));
  await page.getByText("Checked. Nothing has been imported yet.").waitFor();
  await staff.press("Import");
  await page.getByText("Imported", { exact: true }).waitFor();

  await page.goto(staff.at("/catalog-parts"));
  await page.getByRole("textbox", { name: "Part number or words" }).fill("BL-200");
  await press(page.getByRole("link", { name: "BL-200" }));
  await press(page.getByRole("button", { name: new RegExp(`^${quoted("Count")}`) }).first());
  await page.getByLabel("On hand").fill("2");
  await page.getByLabel("Reorder at").fill("4");
  await press(staff.inDialog("Save count"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(staff.at("/low-stock"));
  await page.getByRole("link", { name: "BL-200" }).waitFor();
  await page.getByRole("button", { name: /^Order from/ }).waitFor();
  // A later file leaves the count by hand.
  await sell(system, prices);
  expect(await countOnHand("bns-bl200")).toBe(2);

  const shopper = await newVisitor(browser);
  await shopper.page.goto(`${system.url("shop")}/search?q=OF-100`);
  await shopper.page.getByText("$12.50").first().waitFor();
  for (const count of [1, 2]) {
    await press(shopper.page.getByRole("button", { name: /^Add to cart/ }).first());
    await shopper.page.getByText(`In your cart: ${count}.`).waitFor();
  }
  await toPayment(shopper.page, `${system.url("shop")}/cart`);
  const orderNumber = await pay(shopper.page, "ada@buyer.example");

  await page.goto(staff.at("/"));
  await press(page.getByRole("link", { name: /To pack/ }));
  await press(page.getByRole("link", { name: orderNumber }));
  await staff.press(quoted("Ship"));
  await page.getByLabel("Tracking number").fill("1Z999AA10123456784");
  await press(staff.inDialog("Ship"));
  await page.getByText("Email: shipped").waitFor();
  await eventually(async () => (await countOnHand("bns-of100")) === 1);

  await shopper.page.goto(await linkTo(system, orderNumber));
  await shopper.page.getByText(quoted("Return items")).click();
  await shopper.page.getByLabel("Reason").selectOption("not_needed");
  await shopper.page.getByLabel(/how many of 2/).fill("2");
  await press(shopper.page.getByRole("button", { name: "Request a return" }));
  await shopper.page.getByText("We have your request").waitFor();

  await page.goto(staff.at("/"));
  await press(page.getByRole("link", { name: new RegExp(quoted("Returns requested")) }));
  await press(page.getByRole("link", { name: orderNumber }));
  await staff.press(quoted("Approve"));
  await press(staff.inDialog("Approve"));
  await staff.press(quoted("Mark as received"));
  await press(page.getByRole("button", { name: /came back in another condition/ }));
  expect(await page.getByLabel("Condition of OF-100").last().inputValue()).toBe("damaged");
  await press(staff.inDialog("Receive and refund"));
  await page.getByText("Return received", { exact: true }).waitFor();
  await eventually(async () => (await countOnHand("bns-of100")) === 2);
  expect([...staff.complaints, ...shopper.complaints]).toEqual([]);
});
