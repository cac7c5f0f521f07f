import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { SystemClient } from "../support/system.ts";
import { press } from "./chromium.ts";

/** Of the sandbox's catalog. */
export const PART = "/parts/carburetor-assembly-fs730v-kaw-159648141";

/** Waits until a sample manual was read. */
export async function machineIsKnown(system: SystemClient, make: string): Promise<void> {
  await eventually(async () => {
    const answer = await system.request("gateway", "GET", `/api/fitment/makes?q=${make}`);
    return (answer.body as { makes: object[] }).makes.length > 0;
  }, 120_000);
}

/** The mails of an order, oldest first. */
export async function mailsOf(system: SystemClient, orderNumber: string): Promise<{ subject: string; text: string }[]> {
  const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
  const { mails } = (await answer.json()) as { mails: { subject: string; text: string }[] };
  // The shop gets a mail of its own.
  return mails.filter(({ subject, text }) => text.includes(orderNumber) && !subject.startsWith("New order"));
}

/** The link to an order in its mail. */
export function linkTo(system: SystemClient, orderNumber: string): Promise<string> {
  return eventually(async () => {
    const mails = await mailsOf(system, orderNumber);
    const links = mails.flatMap(({ text }) => /http\S+\/orders\/[\w.-]+/.exec(text)?.[0] ?? []);
    // The shop's own mails lead to the console.
    return links.find((link) => link.startsWith(system.url("shop")));
  }, 30_000);
}

/** Enters an address in the cart. */
export async function fillAddress(
  page: Page,
  { state, postalCode }: { state: "HI" | "NY"; postalCode: string },
): Promise<void> {
  await page.getByLabel("Name").fill("Ada Mechanic");
  await page.getByLabel("Street address").fill("1 Main St");
  await page.getByLabel("City").fill(state === "HI" ? "Honolulu" : "New York");
  await page.getByLabel("State or province").selectOption(state);
  await page.getByLabel("ZIP or postal code").fill(postalCode);
}

/** Asks in the cart what a parcel to New York costs. */
export async function askCosts(page: Page): Promise<void> {
  await fillAddress(page, { state: "NY", postalCode: "10001" });
  await press(page.getByRole("button", { name: "See shipping options" }));
}

/** From the cart to the hosted page, by a parcel to New York. */
export async function toPayment(page: Page, cart: string): Promise<void> {
  await page.goto(cart);
  await askCosts(page);
  await page.getByRole("radiogroup").getByRole("radio").first().waitFor();
  await press(page.getByRole("button", { name: /^Pay / }));
  await page.waitForURL(/\/c\/pay\//);
}

/** At the hosted page. Returns the number of the order. */
export async function pay(page: Page, email: string): Promise<string> {
  await page.getByLabel("E-mail").fill(email);
  await press(page.getByRole("button", { name: /^Pay \$/ }));
  await page.waitForURL(/\/checkout\/success/);
  await page.getByRole("heading", { name: "Thank you for your order" }).waitFor();
  return (await page.getByText(/^ORD-/).textContent())!;
}
