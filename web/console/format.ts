const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export function moment(at: string | Date): string {
  return MOMENT.format(new Date(at));
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat("en", { style: "currency", currency: currency.toUpperCase() }).format(amount);
}
