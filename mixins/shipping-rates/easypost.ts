import type Library from "@easypost/api";
import { type CircuitBreakerOptions, createCircuitBreaker, loadOnce, withSpan } from "@partline/toolkit";
import { createHttpError, findHttpErrorDetails, type HttpFailure } from "@partline/http-client";
import { toCents } from "@partline/parts-language";
import { nameCarrier, type PostalAddress, resolvePlace } from "@partline/toolkit/pure";
import type { Labels, Parcel } from "./labels.ts";
import { inOrder, type ShippingMethod, type ShippingRates } from "./port.ts";

interface EasyPostOptions {
  apiKey: string;
  /** Base URL with a final slash. */
  baseUrl: string;
  /** Address from which parcels are sent. */
  from: PostalAddress & { phone?: string };
  /** Longest wait for an answer, milliseconds. */
  answerMs?: number;
  onFailure?: (reason: HttpFailure) => void;
  watchCircuit?: CircuitBreakerOptions["watchCircuit"];
}

type EasyPost = InstanceType<typeof Library.default>;

const GRAMS_IN_OUNCE = 28.349523125;

const PROVIDER = "EasyPost";

/** Dangerous goods in small quantities go over land alone, by US law; what is oversize is not taken by the mail. */
const HAZMAT_SERVICE = /ground/i;
const MAIL = /^(usps|canadapost)/i;

/** Returns what asks EasyPost, with the errors of a provider, and not while it is away. */
function createAsking({ apiKey, baseUrl, answerMs = 8_000, onFailure, watchCircuit }: EasyPostOptions) {
  // As with the payment provider's library, the first request loads it.
  const client = loadOnce(() => loadClient(apiKey, baseUrl, answerMs));
  const guarded = createCircuitBreaker({
    watchCircuit,
    failures: 5,
    openMs: 5_000,
    isFailure: (error) => findHttpErrorDetails(error)?.reason !== "refused",
    whenOpen: () => createHttpError({ provider: PROVIDER, reason: "circuit_open" }),
  });
  return <T>(what: string, work: (easyPost: EasyPost) => Promise<T>): Promise<T> =>
    guarded(() =>
      withSpan(what, { kind: "client", attributes: { "partline.provider": "easypost" } }, async () => {
        try {
          return await work(await client());
        } catch (error) {
          // The library's text is left out, which may quote what was sent.
          const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
          const status = typeof statusCode === "number" ? statusCode : undefined;
          const reason = classifyFailure(status, code);
          onFailure?.(reason);
          throw createHttpError({ provider: PROVIDER, ...(status === undefined ? {} : { status }), reason }, { code });
        }
      }),
    );
}

/** Fields of a parcel as one piece. */
function toShipment(from: EasyPostOptions["from"], weightGrams: number, options: object) {
  return {
    from_address: toAddress(from),
    parcel: { weight: Math.max(0.1, Math.round((weightGrams / GRAMS_IN_OUNCE) * 10) / 10) },
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

function toAddress({ name, street, city, state, postalCode, country, phone }: Parcel["to"]) {
  return { name, street1: street, city, state, zip: postalCode, country, phone };
}

const HAZMAT = { hazmat: "LIMITED_QUANTITY" } as const;

/** Rates of the carrier accounts that a shop has at EasyPost, in US dollars, each parcel as one piece. */
export function createEasyPostRates(options: EasyPostOptions): ShippingRates {
  const ask = createAsking(options);
  return {
    zoneOf: (place) =>
      Array.isArray(resolvePlace(place)) ? undefined : [place.state, place.country].filter(Boolean).join(", "),

    methods: ({ weightGrams, hazmat, oversize }, { country, state, postalCode }) =>
      ask("shipping rates", async ({ Shipment }) => {
        const { rates } = await Shipment.create({
          to_address: { country, state, zip: postalCode },
          ...toShipment(options.from, weightGrams, hazmat ? HAZMAT : {}),
        });
        return inOrder(rates.flatMap((rate) => toMethods(rate, { hazmat, oversize })));
      }),
  };
}

/** Labels of EasyPost, as PDF of 4 by 6 inches. */
export function createEasyPostLabels(options: EasyPostOptions): Labels {
  const ask = createAsking(options);
  return {
    prepare: ({ to, weightGrams, hazmat, oversize, reference, isReturn = false }) =>
      ask("shipping label", async ({ Shipment }) => {
        const format = { label_format: "PDF", label_size: "4x6", ...(hazmat ? HAZMAT : {}) };
        const { id, rates } = await Shipment.create({
          reference,
          // EasyPost turns the addresses round.
          ...(isReturn && { is_return: true }),
          to_address: toAddress(to),
          ...toShipment(options.from, weightGrams, format),
        });
        const offered = rates.flatMap((rate) =>
          toMethods(rate, { hazmat, oversize }).map((method) => ({ ...method, rateId: rate.id, cost: rate.rate })),
        );
        return { parcelId: id, rates: offered.toSorted((a, b) => Number(a.cost) - Number(b.cost)) };
      }),
    find: (parcelId) =>
      ask("shipping label", async ({ Shipment }) => {
        const parcel = await Shipment.retrieve(parcelId);
        const { selected_rate: rate, tracking_code: trackingNumber, postage_label: label } = parcel;
        if (!trackingNumber) return undefined;
        const url = label.label_pdf_url || label.label_url;
        return { carrier: nameCarrier(rate.carrier), trackingNumber, url, cost: rate.rate };
      }),
    buy: (parcelId, rateId) =>
      ask("shipping label", async ({ Shipment }) => {
        await Shipment.buy(parcelId, rateId);
      }),
    refund: (parcelId) =>
      ask("shipping label", async ({ Shipment }) => {
        const parcel = await Shipment.retrieve(parcelId);
        const { refund_status: status } = parcel.refund_status ? parcel : await Shipment.refund(parcelId);
        return status !== "rejected";
      }),
  };
}

type Rate = Awaited<ReturnType<EasyPost["Shipment"]["create"]>>["rates"][number];

function toMethods(
  { carrier, service, rate, currency, delivery_days: days }: Partial<Rate>,
  { hazmat, oversize }: { hazmat: boolean; oversize: boolean },
): ShippingMethod[] {
  const cost = toCents(Number(rate));
  if (!carrier || !service || currency !== "USD" || !(cost >= 0)) return [];
  if ((hazmat && !HAZMAT_SERVICE.test(service)) || (oversize && MAIL.test(carrier))) return [];
  const estimate = typeof days === "number" && days >= 0 ? { estimatedDays: days } : {};
  return [{ provider: carrier.slice(0, 50), serviceType: service.slice(0, 50), cost, ...estimate }];
}

async function loadClient(apiKey: string, baseUrl: string, answerMs: number): Promise<EasyPost> {
  const { default: library } = await import("@easypost/api");
  // The module is the class itself, unlike in the library's declarations.
  const Client = library as unknown as typeof Library.default;
  // The library keeps its own `timeout` to itself.
  const requestMiddleware = (request: { timeout(milliseconds: number): unknown }): unknown => request.timeout(answerMs);
  return new Client(apiKey, { baseUrl, requestMiddleware });
}

function classifyFailure(status: number | undefined, code: unknown): HttpFailure {
  if (status === 429) return "busy";
  if (status !== undefined && status >= 400) return status >= 500 ? "failed" : "refused";
  if (status !== undefined) return "unreadable";
  if (code === "ECONNABORTED" || code === "ETIMEDOUT" || code === "ETIME") return "timed_out";
  return typeof code === "string" ? "unreachable" : "unreadable";
}
