/** Words of business papers and mails that a shop sends to its buyers. */
export interface PaperWords {
  invoice: string;
  packingSlip: string;
  order: string;
  shipTo: string;
  pickup: string;
  buyer: string;
  partNumber: string;
  description: string;
  shelf: string;
  ordered: string;
  shipped: string;
  backordered: string;
  toPack: string;
  piecesToPack: string;
  inShipment: string;
  piecesInShipment: string;
  quantity: string;
  price: string;
  amount: string;
  subtotal: string;
  discount: string;
  shipping: string;
  tax: string;
  includedTax: string;
  total: string;
  totalAfterRefunds: string;
  refunded: string;
  payments: Readonly<Record<"pending" | "paid" | "failed" | "refunded" | "partially_refunded", string>>;
  addressMissing: string;
  notCounted: string;
  shelvesUnavailable: string;
  /** A box stands for a character that the font lacks: who reads the paper must know. */
  glyphsMissing: string;
  /** Of mails alone. */
  mail: Readonly<
    Record<
      | "view"
      | "signIn"
      | "more"
      | "returns"
      | "track"
      | "damaged"
      | "incomplete"
      | "fee"
      | "expectedOn"
      | "refundedOnly",
      string
    >
  >;
  /** How pieces came back that are not as good as new. */
  conditions: Readonly<Record<"damaged" | "incomplete", string>>;
  formatBringing(count: number, place: string): string;
  formatReturns(days: number): string;
  formatPage(page: number, count: number): string;
}

export type PaperLanguage = "en" | "de" | "es";

export const PAPER_WORDS: Readonly<Record<PaperLanguage, PaperWords>> = {
  en: {
    invoice: "Invoice",
    packingSlip: "Packing slip",
    order: "Order",
    shipTo: "Ship to",
    pickup: "Pickup",
    buyer: "Buyer",
    partNumber: "Part number",
    description: "Description",
    shelf: "Shelf",
    ordered: "Ordered",
    shipped: "Shipped",
    backordered: "On backorder",
    toPack: "To pack",
    piecesToPack: "Pieces to pack",
    inShipment: "In this shipment",
    piecesInShipment: "Pieces in this shipment",
    quantity: "Quantity",
    price: "Price",
    amount: "Amount",
    subtotal: "Subtotal",
    discount: "Discount",
    shipping: "Shipping",
    tax: "Tax",
    includedTax: "Tax included in prices",
    total: "Total",
    totalAfterRefunds: "Total after refunds",
    refunded: "Refunded",
    payments: {
      ...{ paid: "Paid.", refunded: "Paid.", partially_refunded: "Paid." },
      ...{ pending: "Not paid yet.", failed: "The payment failed." },
    },
    addressMissing: "The address is missing",
    notCounted: "not counted",
    shelvesUnavailable: "Shelf locations are unavailable right now.",
    glyphsMissing: "Some characters cannot be printed and are shown as boxes: the order in the console has them.",
    mail: {
      ...{ view: "View your order", more: "and {count} more", returns: "Returns", track: "Track your package:" },
      ...{ damaged: "They arrived damaged.", incomplete: "They arrived incomplete.", signIn: "Sign in" },
      ...{ fee: "restocking fee", expectedOn: "expected on {day}" },
      refundedOnly: "refunded, and yours to keep",
    },
    conditions: { damaged: "damaged", incomplete: "incomplete" },
    formatBringing: (count, place) => `bring ${count} from ${place}`,
    formatReturns: (days) => `Returns within ${days} ${days === 1 ? "day" : "days"}`,
    formatPage: (page, count) => `page ${page} of ${count}`,
  },
  de: {
    invoice: "Rechnung",
    packingSlip: "Lieferschein",
    order: "Bestellung",
    shipTo: "Lieferung an",
    pickup: "Abholung",
    buyer: "Käufer",
    partNumber: "Teilenummer",
    description: "Bezeichnung",
    shelf: "Regal",
    ordered: "Bestellt",
    shipped: "Versandt",
    backordered: "Im Rückstand",
    toPack: "Zu packen",
    piecesToPack: "Stück zu packen",
    inShipment: "In dieser Sendung",
    piecesInShipment: "Stück in dieser Sendung",
    quantity: "Menge",
    price: "Preis",
    amount: "Betrag",
    subtotal: "Zwischensumme",
    discount: "Rabatt",
    shipping: "Versand",
    tax: "Steuer",
    includedTax: "In den Preisen enthaltene Steuer",
    total: "Gesamt",
    totalAfterRefunds: "Gesamt nach Erstattung",
    refunded: "Erstattet",
    payments: {
      ...{ paid: "Bezahlt.", refunded: "Bezahlt.", partially_refunded: "Bezahlt." },
      ...{ pending: "Noch nicht bezahlt.", failed: "Die Zahlung ist fehlgeschlagen." },
    },
    addressMissing: "Die Adresse fehlt",
    notCounted: "nicht gezählt",
    shelvesUnavailable: "Die Lagerplätze sind gerade nicht verfügbar.",
    glyphsMissing:
      "Einige Zeichen lassen sich nicht drucken und stehen hier als Kästchen: in der Konsole sind sie zu lesen.",
    mail: {
      ...{ view: "Bestellung ansehen", more: "und {count} weitere", returns: "Rückgabe", track: "Sendung verfolgen:" },
      ...{ damaged: "Sie kamen beschädigt an.", incomplete: "Sie waren nicht vollständig.", signIn: "Anmelden" },
      ...{ fee: "Rücknahmegebühr", expectedOn: "erwartet am {day}" },
      refundedOnly: "erstattet, Sie behalten es",
    },
    conditions: { damaged: "beschädigt", incomplete: "unvollständig" },
    formatBringing: (count, place) => `${count} holen: ${place}`,
    formatReturns: (days) => `${days} ${days === 1 ? "Tag" : "Tage"} Rückgaberecht`,
    formatPage: (page, count) => `Seite ${page} von ${count}`,
  },
  es: {
    invoice: "Factura",
    packingSlip: "Albarán",
    order: "Pedido",
    shipTo: "Enviar a",
    pickup: "Recogida",
    buyer: "Comprador",
    partNumber: "Referencia",
    description: "Descripción",
    shelf: "Estante",
    ordered: "Pedidas",
    shipped: "Enviadas",
    backordered: "Por llegar",
    toPack: "Por preparar",
    piecesToPack: "Unidades por preparar",
    inShipment: "En este envío",
    piecesInShipment: "Unidades en este envío",
    quantity: "Cantidad",
    price: "Precio",
    amount: "Importe",
    subtotal: "Subtotal",
    discount: "Descuento",
    shipping: "Envío",
    tax: "Impuestos",
    includedTax: "Impuestos incluidos en los precios",
    total: "Total",
    totalAfterRefunds: "Total tras el reembolso",
    refunded: "Reembolsado",
    payments: {
      ...{ paid: "Pagado.", refunded: "Pagado.", partially_refunded: "Pagado." },
      ...{ pending: "Pendiente de pago.", failed: "El pago ha fallado." },
    },
    addressMissing: "Falta la dirección",
    notCounted: "sin contar",
    shelvesUnavailable: "Las ubicaciones de los estantes no están disponibles ahora.",
    glyphsMissing:
      "Algunos caracteres no se pueden imprimir y aparecen como cuadros: el pedido los muestra en la consola.",
    mail: {
      ...{ view: "Ver su pedido", more: "y {count} más", returns: "Devoluciones", track: "Siga su envío:" },
      ...{ damaged: "Llegaron dañados.", incomplete: "Llegaron incompletos.", signIn: "Iniciar sesión" },
      ...{ fee: "cargo por devolución", expectedOn: "previsto para el {day}" },
      refundedOnly: "reembolsado, puede quedárselo",
    },
    conditions: { damaged: "dañado", incomplete: "incompleto" },
    formatBringing: (count, place) => `traer ${count} de ${place}`,
    formatReturns: (days) => `${days} ${days === 1 ? "día" : "días"} para devoluciones`,
    formatPage: (page, count) => `página ${page} de ${count}`,
  },
};
