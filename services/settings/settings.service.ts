import { isDeepStrictEqual } from "node:util";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { compareAndSet, createReplacement } from "@partline/durable";
import type { CollectionDefinition, Document } from "@partline/durable";
import { presentFields } from "@partline/api-contracts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { assertVersion, invalidField, validationFailed } from "../../mixins/errors.ts";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
import { mergePatch } from "@partline/toolkit/pure";
import { resolveShopFacts, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { call, implement } from "../contracts.ts";
import { checkChange, pickChanges, type SettingsChange } from "./change-rules.ts";
import { settingsContract, shopRule } from "./contract.ts";
import { listFirstSteps } from "./first-steps.ts";

/** The one document of the collection. */
interface StoredSettings extends Document {
  version: number;
  /** Only what people have set. */
  values: object;
}

const SHOP_SETTINGS: CollectionDefinition = { name: "shop_settings", fields: { version: "number" } };
const ID = "shop";

export default function createSettingsService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings } = getServiceRuntime(broker);
  const stored = documents.collection<StoredSettings>(SHOP_SETTINGS);
  const readStored = async (): Promise<StoredSettings> =>
    (await stored.findOne({ _id: ID })) ?? { _id: ID, version: 0, values: {} };
  const resolveFacts = (values: object) => {
    const facts = resolveShopFacts(values, settings.pins);
    return { ...facts, shippingTable: facts.shippingTable ?? DEFAULT_TABLE };
  };
  // As a change of it would be: a node does not start with what nobody could set.
  checkChange(settings.pins, resolveFacts({}), { pins: {}, shipTo: settings.shipping.shipTo });
  const present = ({ version, values }: StoredSettings) => ({
    version,
    pinned: Object.keys(settings.pins),
    ...resolveFacts(values),
  });

  /** @throws VALIDATION_FAILED naming a picture that is not stored, SERVICE_UNAVAILABLE */
  async function checkPictures({ logo, favicon }: Partial<SettingsChange>): Promise<void> {
    const pictures = Object.entries({ logo, favicon }).flatMap(([field, id]) => (id ? [{ field, id }] : []));
    if (pictures.length === 0) return;
    const { ids } = await call(broker, "media.has", { ids: pictures.map(({ id }) => id) });
    const missing = pictures.find(({ id }) => !ids.includes(id));
    if (missing) throw invalidField(missing.field, "is not the id of a stored image");
  }

  /** @throws VALIDATION_FAILED naming a vendor that is new and that there is not, SERVICE_UNAVAILABLE */
  async function checkVendors({ stockPolicy }: Partial<SettingsChange>, current: ShopFacts): Promise<void> {
    const rows = stockPolicy?.vendors ?? [];
    const currentCodes = current.stockPolicy.vendors.map(({ vendor }) => vendor);
    if (rows.every(({ vendor }) => currentCodes.includes(vendor))) return;
    const { vendors } = await call(broker, "catalog.vendors", {});
    const codes = [...currentCodes, ...vendors.map(({ code }) => code)];
    const unknown = rows.findIndex(({ vendor }) => !codes.includes(vendor));
    if (unknown >= 0) throw invalidField(`stockPolicy.vendors[${unknown}].vendor`, "is no vendor of the catalog");
  }

  /** @throws VALIDATION_FAILED naming a place that orders or checkouts wait for, SERVICE_UNAVAILABLE */
  async function checkPlaces({ pickupPlaces }: Partial<SettingsChange>, current: ShopFacts): Promise<void> {
    if (pickupPlaces === undefined) return;
    for (const { id, name } of current.pickupPlaces) {
      if (pickupPlaces?.some((place) => place.id === id)) continue;
      // Awaited together: one that fails while another is awaited would be nobody's.
      const [{ checkouts }, ...pages] = await Promise.all([
        call(broker, "payment.countOpen", { pickupPlace: id }),
        ...(["pending", "processing", "shipped"] as const).map((status) =>
          call(broker, "order.adminList", { pickupPlace: id, status, pageSize: 1 }),
        ),
      ]);
      const count = pages.reduce((sum, { pagination }) => sum + pagination.total, checkouts);
      const waiting = `orders and open checkouts there that are not picked up yet: ${count}`;
      const message = `The 'pickupPlaces' field must keep ${name} (${id}): ${waiting}.`;
      const problem = { field: "pickupPlaces", message, code: "place_in_use", values: { name, count } };
      if (count > 0) throw validationFailed(problem);
    }
  }

  return implement(settingsContract, {
    actions: {
      get: async () => present(await readStored()),
      async change({ params: { version, ...request } }) {
        // By its own name, it may be the one that is set already.
        const timeZone = request.timeZone && (findTimeZone(request.timeZone) ?? request.timeZone);
        const canonical = { ...request, ...(timeZone && { timeZone }) };
        const next = await compareAndSet(documents, "The settings", async () => {
          const current = await readStored();
          assertVersion("The settings", version, current.version);
          const facts = resolveFacts(current.values);
          const change = pickChanges(canonical, facts);
          checkChange(change, facts, { pins: settings.pins, shipTo: settings.shipping.shipTo });
          await checkPictures(change);
          await checkVendors(change, facts);
          await checkPlaces(change, facts);
          const values = mergePatch(current.values, change);
          if (isDeepStrictEqual(resolveFacts(values), facts)) return { conditions: [], result: current };
          const result: StoredSettings = { _id: ID, version: current.version + 1, values };
          const previous = current.version === 0 ? null : current;
          return { conditions: [createReplacement(SHOP_SETTINGS, previous, "version", result)], result };
        });
        void broker.broadcast("settings.changed", { version: next.version });
        return present(next);
      },
      async firstSteps() {
        const [{ values }, catalog] = await Promise.all([readStored(), call(broker, "catalog.stats", {})]);
        const { production, payment, mail, dis, shipping } = settings;
        const { rates, easyPost } = shipping;
        const steps = listFirstSteps({
          facts: resolveShopFacts(values, settings.pins),
          catalog,
          deployment: {
            hasDealer: dis !== undefined && !dis.sandbox,
            hasShippingRates: rates !== undefined || easyPost !== undefined,
            hasMailSender: mail !== undefined && !mail.sandbox,
            paymentKey: (production && payment.secretKey) || undefined,
          },
        });
        return { steps };
      },
      shop: async () => presentFields(shopRule.props, resolveFacts((await readStored()).values)),
      async stored({ params }) {
        const { version, values } = await readStored();
        return { version, values: version === params.version ? null : values };
      },
    },
  });
}
