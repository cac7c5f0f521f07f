import * as numbers from "../shared/numbers.ts";

const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export function moment(at: string | Date): string {
  return MOMENT.format(new Date(at));
}

export function count(value: number): string {
  return numbers.count(value, "en");
}

export function money(amount: number, currency: string): string {
  return numbers.money(amount, currency, "en");
}
