import { useEffect, type ReactNode } from "react";
import type { Shop } from "./context.tsx";
import { ShopProvider } from "./context.tsx";
import type { PageContext, PageDefinition } from "./page.ts";
import type { PageName } from "./routes.ts";

/** What the server gives the browser of a page. */
export interface PageData {
  name: PageName;
  context: PageContext;
  data: unknown;
}

interface ShopPageProps extends Pick<PageDefinition<unknown>, "View"> {
  data: unknown;
  shop: Shop;
  /** What a person changed before the script arrived; it takes effect with the page's first effect. */
  earlyInputs?: readonly EarlyInput[];
}

type EarlyInput = HTMLInputElement | HTMLSelectElement;

/** A page in its shop, the same on the server and in the browser. */
export function ShopPage({ View, data, shop, earlyInputs = [] }: ShopPageProps): ReactNode {
  useEffect(() => {
    for (const field of earlyInputs) repeatInput(field);
  }, [earlyInputs]);
  return (
    <ShopProvider value={shop}>
      <View data={data} />
    </ShopProvider>
  );
}

/**
 * Returns the fields that a person changed before the script arrived: those that differ from what the server wrote,
 * where `autocomplete` forbids the browser to restore them. From hydration on, React hears of each change itself.
 */
export function findEarlyInputs(): EarlyInput[] {
  return [...document.querySelectorAll<EarlyInput>("select[autocomplete=off], input[autocomplete=off]")].filter(
    (field) =>
      field instanceof HTMLSelectElement
        ? [...field.selectedOptions].some((option) => !option.defaultSelected)
        : field.checked !== field.defaultChecked || field.value !== field.defaultValue,
  );
}

/** Repeats a change that no script heard, so that it takes effect. React knows the field only as it is now. */
function repeatInput(field: EarlyInput): void {
  if (field instanceof HTMLSelectElement) {
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (field.type === "checkbox") {
    field.checked = field.defaultChecked;
    field.click();
  } else {
    // A number field has no range of text, and none has a state of its own.
    if (field.selectionStart !== null) {
      const text = field.value;
      field.value = field.defaultValue;
      field.setRangeText(text, 0, field.value.length, "end");
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
