import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ShippingAddress } from "../../broker/contract/common.ts";
import { isCharged } from "../../broker/contract/placed-order.ts";
import { formatAmount } from "../../mixins/money.ts";
import { onOneLine } from "../../mixins/safe-text.ts";
import { answerFile, type FileAnswer, type FileRequest } from "../../broker/contract/file.ts";
import type { OrderDocument } from "./collections.ts";
import { quantitiesOf, unshipped } from "./quantities.ts";

/** SHOP_NAME and SHOP_ADDRESS, whose lines are separated by `|`. */
interface Shop {
  name: string;
  address: readonly string[];
}

/** For packers: where it goes, how, and how many of what are left. No prices. */
export function packingSlip(order: OrderDocument, shop: Shop): Paper {
  const quantities = quantitiesOf(order);
  return {
    ...headOf("Packing slip", order, shop),
    columns: [
      { label: "Part number", share: 0.25 },
      { label: "Description", share: 0.42 },
      ...["Ordered", "Shipped", "To pack"].map((label) => ({ label, share: 0.11, align: "right" as const })),
    ],
    rows: order.items.map(({ partNumber, name, quantity }, index) => {
      const { shipped, returned } = quantities[index]!;
      return [partNumber, name, ...[quantity, shipped + returned, unshipped(quantities[index]!)].map(String)];
    }),
    totals: [["Pieces to pack", String(quantities.reduce((sum, of) => sum + unshipped(of), 0))]],
    notes: [],
  };
}

/** What was bought, at which price, and what was paid and paid back. */
export function invoice(order: OrderDocument, shop: Shop): Paper {
  const { currency, subtotal, discount, shipping, shippingMethod, tax, taxes, total, refundedAmount } = order;
  const money = (cents: number): string => `${formatAmount(cents, currency)} ${currency.toUpperCase()}`;
  const given = (label: string, cents: number | undefined): [string, string][] =>
    cents ? [[label, money(cents)]] : [];
  return {
    ...headOf("Invoice", order, shop),
    columns: [
      { label: "Part number", share: 0.2 },
      { label: "Description", share: 0.38 },
      { label: "Quantity", share: 0.1, align: "right" },
      { label: "Price", share: 0.16, align: "right" },
      { label: "Amount", share: 0.16, align: "right" },
    ],
    rows: order.items.map(({ partNumber, name, quantity, price }) => {
      return [partNumber, name, String(quantity), money(price), money(price * quantity)];
    }),
    totals: [
      ["Subtotal", money(subtotal)],
      ...given("Discount", discount && -discount),
      ...given(`Shipping${shippingMethod ? ` (${methodOf(order)})` : ""}`, shipping),
      ...(taxes?.length ? taxes.flatMap(({ name, amount }) => given(name, amount)) : given("Tax", tax)),
      ...(refundedAmount ? ([["Total", money(total)]] as const) : []),
      ...given("Refunded", refundedAmount && -refundedAmount),
      [refundedAmount ? "Total after refunds" : "Total", money(total - refundedAmount)],
    ],
    notes: [isCharged(order.paymentStatus) ? "Paid." : `Payment: ${order.paymentStatus}.`],
  };
}

function headOf(title: string, order: OrderDocument, shop: Shop): Pick<Paper, "title" | "shop" | "blocks" | "date"> {
  const { orderNumber, createdAt, contact, fulfilment, shippingAddress, updatedAt } = order;
  // A line break in a buyer's name writes no line of its own.
  const known = (...lines: (string | undefined)[]) => lines.map((line = "") => onOneLine(line)).filter(Boolean);
  return {
    title: `${title} ${orderNumber}`,
    shop: [shop.name, ...shop.address],
    blocks: [
      { label: "Order", lines: known(orderNumber, createdAt.toISOString().slice(0, 10), methodOf(order)) },
      fulfilment === "pickup"
        ? { label: "Pick-up", lines: known(contact?.name) }
        : { label: "Ship to", lines: addressLines(shippingAddress) },
      { label: "Buyer", lines: known(contact?.name, contact?.email, contact?.phone) },
    ],
    date: updatedAt,
  };
}

function methodOf({ shippingMethod }: OrderDocument): string | undefined {
  return shippingMethod && `${shippingMethod.provider} ${shippingMethod.serviceType}`;
}

function addressLines(address: ShippingAddress | undefined): string[] {
  const { name, street, city, state, postalCode, country, phone } = address ?? {};
  const place = [[city, state].filter(Boolean).join(", "), postalCode].filter(Boolean).join(" ");
  const lines = [name, street, place, country, phone].filter((line): line is string => Boolean(line));
  return lines.length > 0 ? lines : ["The address is missing"];
}

/** A page of the shop, from top to bottom. */
interface Paper {
  title: string;
  /** The shop's name and the lines of its address. */
  shop: readonly string[];
  /** Beside each other. */
  blocks: readonly { label: string; lines: readonly string[] }[];
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  /** Label and value; the last one is the sum. */
  totals: readonly (readonly [string, string])[];
  notes: readonly string[];
  /** Of what it shows: the same content gives the same bytes. */
  date: Date;
}

interface Column {
  label: string;
  /** Share of the width. */
  share: number;
  align?: "right";
}

/** Letter, in points. */
const [WIDTH, HEIGHT, MARGIN] = [612, 792, 48];
const INNER = WIDTH - 2 * MARGIN;
const BOTTOM = HEIGHT - MARGIN - 20;

// Latin, Greek and Cyrillic; the standard fonts of PDF have western Latin alone.
const fonts = join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "standard_fonts");
const [PLAIN, BOLD] = ["Regular", "Bold"].map((style) => join(fonts, `LiberationSans-${style}.ttf`)) as [
  string,
  string,
];

/** Returns the PDF of a paper, on as many pages as its rows need. */
export async function drawPaper({ title, shop, blocks, columns, rows, totals, notes, date }: Paper): Promise<Buffer> {
  // Loaded for the first paper: it takes 10 MB.
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: title, Author: shop[0] ?? "", CreationDate: date, ModDate: date };
  const pdf = new PDFDocument({ size: [WIDTH, HEIGHT], margin: 0, bufferPages: true, font: PLAIN, info, lang: "en" });
  const pieces: Buffer[] = [];
  const finished = new Promise<void>((resolve, reject) => pdf.on("end", resolve).on("error", reject));
  pdf.on("data", (piece: Buffer) => pieces.push(piece));

  /** Draws text in a box and returns the y below it. */
  const put = (text: string, x: number, y: number, width: number, { bold = false, size = 9, right = false } = {}) => {
    pdf.font(bold ? BOLD : PLAIN, size).text(text, x, y, { width, align: right ? "right" : "left" });
    return y + pdf.heightOfString(text, { width });
  };
  const rule = (y: number): void =>
    void pdf
      .moveTo(MARGIN, y)
      .lineTo(WIDTH - MARGIN, y)
      .lineWidth(0.5)
      .stroke("#888");
  const line = (cells: readonly string[], y: number, bold = false): number => {
    let [x, below] = [MARGIN, y];
    for (const [index, { share, align }] of columns.entries()) {
      const width = share * INNER;
      below = Math.max(below, put(cells[index] ?? "", x, y, width - 8, { bold, right: align === "right" }));
      x += width;
    }
    return below + 4;
  };
  const heading = (y: number): number => {
    const below = line(
      columns.map(({ label }) => label),
      y,
      true,
    );
    rule(below);
    return below + 6;
  };
  const heightOf = (cells: readonly string[]): number => {
    pdf.font(PLAIN, 9);
    return Math.max(
      ...columns.map(({ share }, index) => pdf.heightOfString(cells[index] ?? "", { width: share * INNER - 8 })),
    );
  };

  let y = put(title, MARGIN, MARGIN, INNER * 0.6, { bold: true, size: 18 });
  let besides = MARGIN;
  for (const [index, text] of shop.entries())
    besides = put(text, MARGIN + INNER * 0.6, besides, INNER * 0.4, { bold: index === 0, right: true });
  y = Math.max(y, besides) + 16;
  const width = INNER / Math.max(1, blocks.length);
  y =
    Math.max(
      ...blocks.map(({ label, lines }, index) => {
        const x = MARGIN + index * width;
        return lines.reduce((at, text) => put(text, x, at, width - 12), put(label, x, y, width - 12, { bold: true }));
      }),
      y,
    ) + 18;
  y = heading(y);
  for (const cells of rows) {
    if (y + heightOf(cells) > BOTTOM) {
      pdf.addPage();
      y = heading(MARGIN);
    }
    y = line(cells, y);
  }
  const tail = totals.length * 16 + notes.length * 30;
  if (y + tail > BOTTOM) {
    pdf.addPage();
    y = MARGIN;
  }
  rule(y);
  y += 6;
  for (const [index, [label, value]] of totals.entries()) {
    const bold = index === totals.length - 1;
    put(label, MARGIN + INNER * 0.5, y, INNER * 0.3, { bold, right: true });
    y = put(value, MARGIN + INNER * 0.8, y, INNER * 0.2 - 8, { bold, right: true }) + 3;
  }
  for (const note of notes) y = put(note, MARGIN, y + 10, INNER);
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    put(`${title} · page ${page + 1} of ${count}`, MARGIN, HEIGHT - MARGIN, INNER, { size: 8 });
  }
  pdf.end();
  await finished;
  return Buffer.concat(pieces);
}

/** Answers a request for a PDF that no cache may keep. */
export function pdfAnswer(request: FileRequest, pdf: Buffer): Promise<FileAnswer> {
  const etag = `"${createHash("sha256").update(pdf).digest("base64url").slice(0, 22)}"`;
  const facts = { type: "application/pdf", etag, bytes: pdf.length, cacheControl: "private, no-store" };
  return answerFile(request, { ...facts, disposition: "inline" }, (from, to) =>
    Promise.resolve(pdf.subarray(from, to + 1)),
  );
}
