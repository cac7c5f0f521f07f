import { createHmac, randomInt, randomUUID } from "node:crypto";
import { SERVER_FAULTS, createFaults, cutOff, applyServerFaults, createProviderRoutes } from "../server/faults.ts";
import { html } from "../server/html.ts";
import {
  type Address,
  type Exchange,
  type Handler,
  type HttpServer,
  createJsonReply,
  startHttpServer,
} from "../server/http-server.ts";

const PATH = "/v2/shipments";

/** Carrier accounts of the shop: cents of a parcel, of each pound, and what distance multiplies them by. */
const SERVICES = [
  { carrier: "USPS", service: "GroundAdvantage", base: 540, perPound: 65, days: 4, mostPounds: 70 },
  { carrier: "USPS", service: "Priority", base: 920, perPound: 110, days: 2, mostPounds: 70 },
  { carrier: "UPSDAP", service: "Ground", base: 880, perPound: 48, days: 4, mostPounds: 150 },
  { carrier: "UPSDAP", service: "2ndDayAir", base: 2_190, perPound: 190, days: 2, mostPounds: 150 },
  {
    carrier: "FedExFreight",
    service: "FREIGHT_GROUND_ECONOMY",
    base: 14_900,
    perPound: 45,
    days: 8,
    mostPounds: Infinity,
  },
];
/** Factors of distance, in hundredths; any other state of the country of origin is near. */
const FAR = { state: 180, country: 230 };
const FAR_STATES = ["AK", "HI", "PR", "GU"];

const FAULTS = { ...SERVER_FAULTS, no_rates: "a shipment without rates" };

type Fields = Readonly<Record<string, unknown>>;

type JsonReply = ReturnType<typeof createJsonReply>;

const UNBOUGHT = {
  selected_rate: null as ReturnType<typeof createShipment>["rates"][number] | null,
  postage_label: null as object | null,
  tracking_code: null as string | null,
  refund_status: null as string | null,
  status: "unknown",
};
type StoredShipment = ReturnType<typeof createShipment> &
  typeof UNBOUGHT & { reference: string | null; is_return: boolean };

interface EasyPostSandboxOptions extends Address {
  apiKey: string;
  /** Signs webhooks. Without it, none is sent. */
  webhookSecret?: string | undefined;
  webhookUrls?: readonly string[];
}

/**
 * The stand-in for EasyPost: shipments, which have rates, labels and refunds of these, and webhooks of their trackers.
 */
export function startEasyPostSandbox({
  host,
  port,
  apiKey,
  webhookSecret,
  webhookUrls = [],
}: EasyPostSandboxOptions): Promise<HttpServer> {
  const faults = createFaults(FAULTS);
  const shipments = new Map<string, StoredShipment>();

  /** Answers an account's request; `work` gets what the faults are struck with. */
  const asAccount =
    (work: (exchange: Exchange, struck: ReturnType<typeof faults.strike>) => Promise<JsonReply> | JsonReply): Handler =>
    async (exchange) => {
      const [scheme, credentials = ""] = exchange.header("authorization")?.split(" ") ?? [];
      const key = Buffer.from(credentials, "base64").toString("utf8").split(":")[0];
      if (scheme !== "Basic" || key !== apiKey)
        return createRefusal(401, "APIKEY.INACTIVE", "This api key is no longer active.");
      const struck = faults.strike();
      const failure = await applyServerFaults(struck, (message) => ({
        error: { code: "INTERNAL_SERVER_ERROR", message, errors: [] },
      }));
      if (failure) return failure;
      return cutOff(struck, await work(exchange, struck));
    };

  const create = asAccount(async (exchange, struck) => {
    const { shipment } = ((await exchange.object()) ?? {}) as { shipment?: Fields };
    const [to, from, parcel] = ["to_address", "from_address", "parcel"].map(
      (name) => (shipment?.[name] ?? {}) as Fields,
    );
    const pounds = Number(parcel!.weight) / 16;
    if (!(pounds > 0)) return createRefusal(422, "SHIPMENT.INVALID_PARAMS", "parcel.weight must be more than 0");
    for (const address of [to!, from!])
      if (!address.country || !address.zip)
        return createRefusal(422, "ADDRESS.INVALID", "An address needs country and zip");
    const hasRates = struck.every(({ kind }) => kind !== "no_rates");
    const shipmentWithRates = createShipment(to!, from!, hasRates ? pounds : Infinity);
    const reference = typeof shipment?.reference === "string" ? shipment.reference : null;
    const stored = { ...shipmentWithRates, reference, is_return: shipment?.is_return === true, ...UNBOUGHT };
    shipments.set(shipmentWithRates.id, stored);
    return createJsonReply(201, stored);
  });
  /** A shipment by its id or its reference. */
  const onShipment = (change: (shipment: StoredShipment, body: Fields, base: string) => JsonReply) =>
    asAccount(async (exchange) => {
      const { id } = exchange.params;
      const shipment = [...shipments.values()].find(
        (candidate) => candidate.id === id || (candidate.reference && candidate.reference === id),
      );
      if (!shipment) return createRefusal(404, "NOT_FOUND", "The requested resource could not be found.");
      return change(shipment, (await exchange.object()) ?? {}, exchange.url);
    });
  const save = (shipment: StoredShipment): JsonReply => {
    shipments.set(shipment.id, shipment);
    return createJsonReply(200, shipment);
  };
  const buy = onShipment((shipment, { rate }, base) => {
    const selected = shipment.rates.find(({ id }) => id === (rate as Fields | undefined)?.id);
    if (!selected) return createRefusal(422, "SHIPMENT.INVALID_PARAMS", "Unable to find the rate");
    if (shipment.tracking_code)
      return createRefusal(422, "SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.");
    const url = `${base}/labels/${shipment.id}.pdf`;
    const postage_label = {
      object: "PostageLabel",
      label_url: url,
      label_pdf_url: url,
      label_file_type: "application/pdf",
    };
    const tracking_code = `EZ${randomInt(10 ** 9, 10 ** 10)}`;
    return save({ ...shipment, selected_rate: selected, postage_label, tracking_code, status: "unknown" });
  });
  const refund = onShipment((shipment) => {
    if (!shipment.tracking_code) return createRefusal(422, "SHIPMENT.REFUND.UNAVAILABLE", "No postage to refund.");
    return save({ ...shipment, refund_status: "submitted" });
  });
  /** Sends an event of a parcel's tracker, once. It is the sandbox's own: EasyPost hears of parcels from carriers. */
  const track: Handler = async (exchange) => {
    const { status = "delivered", est_delivery_date = null } = ((await exchange.object()) ?? {}) as Fields;
    const { id } = exchange.params;
    const shipment = [...shipments.values()].find((candidate) => candidate.id === id || candidate.tracking_code === id);
    if (!shipment?.tracking_code)
      return createRefusal(404, "NOT_FOUND", "No parcel with a label has this id or number.");
    const body = JSON.stringify(createTrackerEvent(shipment, String(status), est_delivery_date));
    const answers = webhookUrls.map(async (url) => {
      const headers = { "content-type": "application/json", ...signEvent(body, webhookSecret) };
      const answer = await fetch(url, { method: "POST", headers, body }).catch(() => undefined);
      return { url, status: answer?.status ?? null };
    });
    return createJsonReply(200, { sent: await Promise.all(answers) });
  };
  const label: Handler = ({ params }) => {
    const shipment = shipments.get((params.file ?? "").replace(/[.]pdf$/, ""));
    if (!shipment?.tracking_code) return createRefusal(404, "NOT_FOUND", "The requested resource could not be found.");
    const { selected_rate: rate, tracking_code: code } = shipment;
    const to = shipment.is_return ? shipment.from_address : shipment.to_address;
    const lines = [
      `${rate?.carrier} ${rate?.service}`,
      code,
      ...[to.name, to.street1, to.city, to.state, to.zip].map(String),
    ];
    return { status: 200, headers: { "content-type": "application/pdf" }, body: writePdf(lines) };
  };
  const controls = createProviderRoutes("EasyPost", faults, (url) => ({
    about: html`<p>A stand-in for EasyPost, with rates and labels of shipments at <code>${url}${PATH}</code>. It is asked where Partline is started
with <code>EASYPOST_API_BASE=sandbox</code>; otherwise shipping costs come from a table. A parcel arrives by
<code>curl -X POST ${url}/sandbox/parcels/TRACKING_NUMBER</code>, which sends the webhook.</p>`,
  }));
  return startHttpServer({
    host,
    port,
    routes: {
      ...controls,
      ...{
        [`POST ${PATH}`]: create,
        [`GET ${PATH}`]: asAccount(() =>
          createJsonReply(200, { shipments: [...shipments.values()].reverse(), has_more: false }),
        ),
        [`GET ${PATH}/:id`]: onShipment((shipment) => createJsonReply(200, shipment)),
        [`POST ${PATH}/:id/buy`]: buy,
        [`POST ${PATH}/:id/refund`]: refund,
        "POST /sandbox/parcels/:id": track,
        "GET /labels/:file": label,
      },
    },
  });
}

function createShipment(to: Fields, from: Fields, pounds: number) {
  const id = `shp_${randomUUID().replaceAll("-", "")}`;
  const distance = to.country !== from.country ? FAR.country : FAR_STATES.includes(String(to.state)) ? FAR.state : 100;
  const rates = SERVICES.filter(({ mostPounds }) => pounds <= mostPounds && pounds < Infinity).map((offered) => {
    const { carrier, service, base, perPound, days } = offered;
    const cents = Math.round(((base + perPound * Math.ceil(pounds)) * distance) / 100);
    const amounts = { rate: (cents / 100).toFixed(2), currency: "USD", list_currency: "USD" };
    const ids = { id: `rate_${randomUUID().replaceAll("-", "")}`, object: "Rate", shipment_id: id };
    return {
      ...ids,
      carrier,
      service,
      ...amounts,
      delivery_days: days + (distance > 100 ? 3 : 0),
      delivery_date: null,
    };
  });
  return { id, object: "Shipment", mode: "test", to_address: to, from_address: from, messages: [], rates };
}

function createTrackerEvent({ id, tracking_code, selected_rate }: StoredShipment, status: string, estimate: unknown) {
  const datetime = new Date().toISOString();
  return {
    id: `evt_${randomUUID().replaceAll("-", "")}`,
    object: "Event",
    mode: "test",
    description: "tracker.updated",
    previous_attributes: { status: "in_transit" },
    result: {
      id: `trk_${id.slice("shp_".length)}`,
      object: "Tracker",
      mode: "test",
      tracking_code,
      status,
      carrier: selected_rate?.carrier,
      shipment_id: id,
      est_delivery_date: estimate,
      tracking_details: [{ object: "TrackingDetail", message: status, status, datetime }],
    },
  };
}

function signEvent(body: string, secret: string | undefined): Record<string, string> {
  if (secret === undefined) return {};
  const hmac = createHmac("sha256", secret.normalize("NFKD")).update(body).digest("hex");
  return { "x-hmac-signature": `hmac-sha256-hex=${hmac}` };
}

/** Writes a label of 4 by 6 inches: lines of text. */
function writePdf(lines: readonly string[]): string {
  const text = lines.map((line) => `(${line.replaceAll(/[^ -~]|[()\\\\]/g, "?")}) Tj T*`).join(" ");
  const content = `BT /F1 14 Tf 20 400 Td 20 TL ${text} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

function createRefusal(status: number, code: string, message: string) {
  return createJsonReply(status, { error: { code, message, errors: [] } });
}
