import { randomUUID } from "node:crypto";
import { SERVER_FAULTS, createFaults, cutOff, applyServerFaults, createProviderRoutes } from "../server/faults.ts";
import { html } from "../server/html.ts";
import {
  type Address,
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

/** The stand-in for EasyPost: shipments, which have rates. */
export function startEasyPostSandbox({ host, port, apiKey }: Address & { apiKey: string }): Promise<HttpServer> {
  const faults = createFaults(FAULTS);
  const create: Handler = async (exchange) => {
    const [scheme, credentials = ""] = exchange.header("authorization")?.split(" ") ?? [];
    const key = Buffer.from(credentials, "base64").toString("utf8").split(":")[0];
    if (scheme !== "Basic" || key !== apiKey)
      return createRefusal(401, "APIKEY.INACTIVE", "This api key is no longer active.");
    const struck = faults.strike();
    const failure = await applyServerFaults(struck, (message) => ({
      error: { code: "INTERNAL_SERVER_ERROR", message, errors: [] },
    }));
    if (failure) return failure;
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
    return cutOff(struck, createJsonReply(201, createShipment(to!, from!, hasRates ? pounds : Infinity)));
  };
  const controls = createProviderRoutes("EasyPost", faults, (url) => ({
    about: html`<p>A stand-in for EasyPost, with rates of shipments at <code>${url}${PATH}</code>. It is asked where Partline is started
with <code>EASYPOST_API_BASE=sandbox</code>; otherwise shipping costs come from a table.</p>`,
  }));
  return startHttpServer({ host, port, routes: { ...controls, [`POST ${PATH}`]: create } });
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

function createRefusal(status: number, code: string, message: string) {
  return createJsonReply(status, { error: { code, message, errors: [] } });
}
