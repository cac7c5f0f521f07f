import { parse } from "csv-parse/sync";
import { supplierRoutes } from "../catalog/price-files.ts";
import {
  type Fault,
  type Faults,
  SERVER_FAULTS,
  createFaults,
  cutOff,
  applyServerFaults,
  createProviderRoutes,
} from "../server/faults.ts";
import { manualRoutes } from "../manuals/manuals.ts";
import { readSampleText } from "../samples.ts";
import { html } from "../server/html.ts";
import {
  type Address,
  type Handler,
  type HttpServer,
  type Reply,
  type Routes,
  createJsonReply,
  startHttpServer,
} from "../server/http-server.ts";
import { LastFacts } from "../server/last-facts.ts";

/** The client of the dealer inventory system. */
interface Dealer {
  apiKey: string;
  dealerId: string;
}

interface DealerSandboxOptions extends Address {
  /** Undefined stands in for the suppliers alone. */
  dealer?: Dealer;
}

/** The stand-in for those who supply parts, their manuals, and the dealer inventory system. */
export function startDealerSandbox({ host, port, dealer }: DealerSandboxOptions): Promise<HttpServer> {
  const routes = { ...supplierRoutes, ...manualRoutes, ...(dealer && createDealerRoutes(dealer)) };
  return startHttpServer({ host, port, routes });
}

const KEPT_INQUIRIES = 200;
const PATH = "/report-api/api/partsStore/partsInquiry";

function createDealerRoutes(dealer: Dealer): Routes {
  const faults = createFaults(FAULTS);
  const log = new LastFacts<InquiryFact>(KEPT_INQUIRIES);
  const listInquiries = () => log.all().reverse();
  let loaded: Inventory | undefined;
  const loadInventory = (): Inventory => (loaded ??= readInventory());
  const controls = createProviderRoutes("Dealer inventory", faults, (url) => {
    const priced = [...loadInventory().values()].filter(({ Price }) => Price > 0);
    const examples = new Map(priced.reverse().map((part) => [part.ManufacturerCode, part]));
    return {
      about: html`<p>A stand-in for the dealer inventory system, with ${loadInventory().size} parts at <code>${url}${PATH}</code> for
clients that send <code>X-API-KEY</code> and <code>DealerId</code>. There is also
<a href="/suppliers">who supplies what</a>, and <a href="/manuals">manuals</a> to upload.</p>`,
      lately: html`<p>From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"rate_limited","value":30,"times":2}'</code>, and
<code>-X DELETE</code> for all well again.</p>
<h2>Asked lately</h2>
${listInquiries().length === 0 && html`<p>Nothing yet.</p>`}
<table>${listInquiries()
        .slice(0, 20)
        .map(
          ({ at: time, status, asked: askedCount, answered }) =>
            html`<tr><td>${time.slice(11, 19)}</td><td>${status ?? "no answer"}</td><td>${answered} of ${askedCount} parts</td></tr>`,
        )}</table>
<h2>Parts to try</h2>
<table>${[...examples.values()].map(
        (part) =>
          html`<tr><td><code>${part.ManufacturerCode}</code></td><td><code>${part.PartNumber}</code></td><td>${part.Price.toFixed(2)}</td><td>${part.QtyOnHand} on hand</td></tr>`,
      )}</table>`,
    };
  });
  return {
    ...controls,
    [`POST ${PATH}`]: createInquiryHandler({ ...dealer, inventory: loadInventory, faults, log }),
    "GET /sandbox/inquiries": () => createJsonReply(200, { inquiries: listInquiries() }),
  };
}

/** A part as the dealer inventory system describes it. Source: specification, "Dealer inventory (DIS) inquiry". */
interface InventoryPart {
  ManufacturerCode: string;
  PartNumber: string;
  /** Decimal currency units; 0 if there is none. */
  Price: number;
  Available: boolean;
  QtyOnHand: number;
}

type Inventory = ReadonlyMap<string, InventoryPart>;

const toKey = ({ ManufacturerCode, PartNumber }: Pick<InventoryPart, "ManufacturerCode" | "PartNumber">): string =>
  `${ManufacturerCode} ${PartNumber.toUpperCase().replace(/[^A-Z0-9]/g, "")}`;

/** Every part of the price files that the system keeps, most at the file's price, some near it. */
function readInventory(): Inventory {
  const rows = parse<Record<"ManufacturerCode" | "PartNumber" | "Price" | "QtyOnHand", string>>(
    readSampleText("dealer-inventory.csv"),
    { columns: true },
  );
  return new Map(
    rows.map(({ Price, QtyOnHand, ...names }) => {
      const quantity = Number(QtyOnHand);
      return [toKey(names), { ...names, Price: Number(Price), Available: quantity > 0, QtyOnHand: quantity }];
    }),
  );
}

/** Faults, with the meaning of their `value`. */
const FAULTS = {
  ...SERVER_FAULTS,
  key_refused: "401 to any key",
  malformed: "number of broken rows, from the first, each broken in another way (1 by default)",
  missing: "number of rows, from the first, that are left out (1 by default)",
  repeated: "number of rows, from the first, that are there twice (1 by default)",
  contradicted: "the same, and the second time with another price",
  reversed: "the rows in reverse order",
};
export type FaultKind = keyof typeof FAULTS;

const BREAKS: readonly ((part: InventoryPart) => unknown)[] = [
  (part) => ({ ...part, Price: -1 }),
  (part) => ({ ...part, Price: "12.50" }),
  (part) => ({ ...part, Price: null }),
  (part) => ({ ...part, Price: 12.345 }),
  (part) => ({ ...part, Available: "Y" }),
  (part) => ({ ...part, QtyOnHand: null }),
  ({ ManufacturerCode, PartNumber }) => ({ ManufacturerCode, PartNumber }),
];

function spoil(foundParts: readonly InventoryPart[], faults: readonly Fault<FaultKind>[]): unknown[] {
  const count = (kind: FaultKind): number => {
    const fault = faults.find((candidate) => candidate.kind === kind);
    return fault ? (fault.value ?? 1) : 0;
  };
  const rows = foundParts.slice(count("missing"));
  const broken = rows.map((part, index) => (index < count("malformed") ? BREAKS[index % BREAKS.length]!(part) : part));
  const contradictions = rows.slice(0, count("contradicted")).map((part) => ({ ...part, Price: part.Price + 1 }));
  const answerRows = [...broken, ...rows.slice(0, count("repeated")), ...contradictions];
  return count("reversed") > 0 ? answerRows.reverse() : answerRows;
}

export interface InquiryFact {
  at: string;
  status: number | null;
  /** Parts that were asked about, and that were known. */
  asked: number;
  answered: number;
}

interface InquiryOptions extends Dealer {
  inventory: () => Inventory;
  faults: Faults<FaultKind>;
  log: LastFacts<InquiryFact>;
}

const MOST = 50;

/** `POST /report-api/api/partsStore/partsInquiry`: parts that are not known are left out of the answer. */
function createInquiryHandler({ apiKey, dealerId, inventory, faults, log }: InquiryOptions): Handler {
  return async (exchange) => {
    const struck = faults.strike();
    const has = (kind: FaultKind): boolean => struck.some((fault) => fault.kind === kind);
    const inquiry = readInquiry(await exchange.object());
    const foundParts =
      typeof inquiry === "string" ? [] : inquiry.parts.flatMap((part) => inventory().get(toKey(part)) ?? []);
    const createRefusal = (status: number, Message: string): Reply => createJsonReply(status, { Message });
    const answer = (): Reply => {
      if (has("key_refused") || exchange.header("x-api-key") !== apiKey)
        return createRefusal(401, "X-API-KEY is missing or wrong");
      if (typeof inquiry === "string") return createRefusal(400, inquiry);
      if (inquiry.dealerId !== dealerId) return createRefusal(403, "This dealer may not ask");
      return cutOff(struck, createJsonReply(200, { Parts: spoil(foundParts, struck) }));
    };
    const reply = (await applyServerFaults(struck, (Message) => ({ Message }))) ?? answer();
    const status = reply === "hang" ? null : reply.status;
    const askedCount = typeof inquiry === "string" ? 0 : inquiry.parts.length;
    log.add({
      at: new Date().toISOString(),
      status,
      asked: askedCount,
      answered: status === 200 ? foundParts.length : 0,
    });
    return reply;
  };
}

type Inquiry = { dealerId: string; parts: Pick<InventoryPart, "ManufacturerCode" | "PartNumber">[] };

function readInquiry(body: Readonly<Record<string, unknown>> | undefined): Inquiry | string {
  if (!body) return "The body must be a JSON object.";
  const { DealerId, Parts } = body;
  if (typeof DealerId !== "string") return "DealerId must be a string.";
  if (!Array.isArray(Parts) || Parts.length < 1 || Parts.length > MOST) return `Parts must be a list of 1 to ${MOST}.`;
  const isText = (field: unknown): boolean => typeof field === "string" && field !== "";
  const isComplete = Parts.every(
    (part: Partial<InventoryPart> | null) => isText(part?.ManufacturerCode) && isText(part?.PartNumber),
  );
  return isComplete
    ? { dealerId: DealerId, parts: Parts as Inquiry["parts"] }
    : "Each of Parts must have a ManufacturerCode and a PartNumber.";
}
