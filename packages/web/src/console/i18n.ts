import polyglotI18nProvider from "ra-i18n-polyglot";
import englishMessages from "ra-language-english";
import { language } from "./texts.ts";
import { de } from "./texts/de.ts";
import { es } from "./texts/es.ts";

/** What this console shows of react-admin: it has no guessers, and nobody configures its pages. */
type ReactAdminTexts = Omit<(typeof englishMessages)["ra"], "guesser" | "configurable">;

const english = {
  ...englishMessages.ra,
  navigation: {
    ...englishMessages.ra.navigation,
    // Its own say "No Interchange found".
    no_results: "Nothing found",
    no_filtered_results: "Nothing was found with these filters.",
  },
  // Its own say "Element updated".
  notification: {
    ...englishMessages.ra.notification,
    updated: "Saved |||| %{smart_count} saved",
    created: "Created",
    deleted: "Deleted |||| %{smart_count} deleted",
    bad_item: "This can't be used",
    item_doesnt_exist: "This no longer exists",
  },
  // The page puts a full stop behind it.
  message: { ...englishMessages.ra.message, not_found: "The address is wrong, or the link leads nowhere" },
};

const MESSAGES = { en: english, de: de.ra, es: es.ra } satisfies Record<string, ReactAdminTexts>;

/** Texts of react-admin's own parts in the page's language. */
export const i18nProvider = polyglotI18nProvider(
  () => ({ ra: { ...englishMessages.ra, ...MESSAGES[language] } }),
  language,
  [],
  { allowMissing: true },
);
