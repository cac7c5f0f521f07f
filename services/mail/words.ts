import type { Language } from "../../mixins/shop/languages.ts";

/** Words that templates do not have: those of totals, lines and layouts. */
interface Words {
  subtotal: string;
  discount: string;
  shipping: string;
  tax: string;
  includedTax: string;
  total: string;
  order: string;
  view: string;
  signIn: string;
  more: string;
  returns: string;
  track: string;
  backordered: string;
  expectedIn: string;
  damaged: string;
  incomplete: string;
}

export const WORDS: Record<Language, Words> = {
  en: {
    ...{ subtotal: "Subtotal", discount: "Discount", shipping: "Shipping", tax: "Tax", total: "Total" },
    ...{ includedTax: "Tax included in prices", order: "Order", view: "View your order", more: "and {count} more" },
    ...{
      returns: "Returns",
      track: "Track your package:",
      backordered: "on backorder",
      expectedIn: "usually here within",
    },
    ...{ damaged: "They arrived damaged.", incomplete: "They arrived incomplete.", signIn: "Sign in" },
  },
  de: {
    ...{ subtotal: "Zwischensumme", discount: "Rabatt", shipping: "Versand", tax: "Steuer", total: "Gesamt" },
    ...{ includedTax: "In den Preisen enthaltene Steuer", order: "Bestellung", view: "Bestellung ansehen" },
    ...{ more: "und {count} weitere", returns: "Rückgabe", track: "Sendung verfolgen:" },
    ...{ backordered: "im Rückstand", expectedIn: "übliche Wartezeit:" },
    ...{ damaged: "Sie kamen beschädigt an.", incomplete: "Sie waren nicht vollständig.", signIn: "Anmelden" },
  },
  es: {
    ...{ subtotal: "Subtotal", discount: "Descuento", shipping: "Envío", tax: "Impuestos", total: "Total" },
    ...{ includedTax: "Impuestos incluidos en los precios", order: "Pedido", view: "Ver su pedido" },
    ...{ more: "y {count} más", returns: "Devoluciones", track: "Siga su envío:" },
    ...{ backordered: "pendientes de llegada", expectedIn: "plazo habitual:" },
    ...{ damaged: "Llegaron dañados.", incomplete: "Llegaron incompletos.", signIn: "Iniciar sesión" },
  },
};
