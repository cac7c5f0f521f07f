import { PAPER_WORDS, type PaperWords } from "@partline/papers";
import type { Language } from "../../mixins/shop/languages.ts";

/** What mails call as invoices do. */
type SharedWords = Pick<PaperWords, "subtotal" | "discount" | "shipping" | "tax" | "includedTax" | "total" | "order">;

const takeShared = (language: Language): SharedWords => {
  const { subtotal, discount, shipping, tax, includedTax, total, order } = PAPER_WORDS[language];
  return { subtotal, discount, shipping, tax, includedTax, total, order };
};

/** Words that templates do not have: those of totals, lines and layouts. */
interface Words extends SharedWords {
  view: string;
  signIn: string;
  more: string;
  returns: string;
  track: string;
  damaged: string;
  incomplete: string;
}

export const WORDS: Record<Language, Words> = {
  en: {
    ...takeShared("en"),
    ...{ view: "View your order", more: "and {count} more" },
    ...{ returns: "Returns", track: "Track your package:" },
    ...{ damaged: "They arrived damaged.", incomplete: "They arrived incomplete.", signIn: "Sign in" },
  },
  de: {
    ...takeShared("de"),
    ...{ view: "Bestellung ansehen", more: "und {count} weitere", returns: "Rückgabe", track: "Sendung verfolgen:" },
    ...{ damaged: "Sie kamen beschädigt an.", incomplete: "Sie waren nicht vollständig.", signIn: "Anmelden" },
  },
  es: {
    ...takeShared("es"),
    ...{ view: "Ver su pedido", more: "y {count} más", returns: "Devoluciones", track: "Siga su envío:" },
    ...{ damaged: "Llegaron dañados.", incomplete: "Llegaron incompletos.", signIn: "Iniciar sesión" },
  },
};
