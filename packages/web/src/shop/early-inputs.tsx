import { useEffect, type ReactNode } from "react";

type Field = HTMLInputElement | HTMLSelectElement;

/** Repeats what a person changed before the page was hydrated, so that it takes effect: no script heard it. */
export function EarlyInputs(): ReactNode {
  useEffect(() => {
    // The next render writes over what was typed, and React hydrates nothing while effects run.
    const inputs = findChangedFields().map((field) => [field, field.value] as const);
    queueMicrotask(() => {
      for (const [field, value] of inputs) repeatInput(field, value);
    });
  }, []);
  return null;
}

/**
 * Returns the fields that differ from what the server wrote, where `autocomplete` forbids the browser to restore them.
 * From hydration on, React hears of each change itself.
 */
function findChangedFields(): Field[] {
  return [...document.querySelectorAll<Field>("select[autocomplete=off], input[autocomplete=off]")].filter((field) =>
    field instanceof HTMLSelectElement
      ? [...field.selectedOptions].some((option) => !option.defaultSelected)
      : field.checked !== field.defaultChecked || field.value !== field.defaultValue,
  );
}

/** React knows a field only as it is once it is hydrated. */
function repeatInput(field: Field, value: string): void {
  // A key has React hydrate at once what it has put off.
  field.dispatchEvent(new Event("keyup", { bubbles: true }));
  if (field instanceof HTMLSelectElement) {
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (field.type === "checkbox") {
    field.checked = field.defaultChecked;
    field.click();
  } else {
    // A number field has no range of text, and none has a state of its own.
    if (field.selectionStart !== null) {
      field.value = field.defaultValue;
      field.setRangeText(value, 0, field.value.length, "end");
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
