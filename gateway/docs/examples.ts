import { createExamples } from "@partline/api-contracts";

export const EXAMPLE_VERSION = "0.2.0";

const ADDRESS = "https://partline.example/parts/carburetor-assembly-fs730v-kaw-159648141";

/** Texts of answers by field name, for rules without an example. */
const TEXTS: Readonly<Record<string, string>> = {
  id: "kaw-159648141",
  productId: "kaw-159648141",
  sku: "CT-KAW-15964-8141",
  slug: "carburetor-assembly-fs730v-kaw-159648141",
  partNumber: "15964-8141",
  title: "Carburetor, Assembly, FS730V",
  name: "Carburetor, Assembly, FS730V",
  manufacturer: "Kawasaki",
  category: "Carburetors",
  currency: "usd",
  cartId: "cart_1700000000000_k3j9x2m1q",
  userId: "user_2k9XbQ",
  orderId: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
  orderNumber: "ORD-20261121-000042",
  email: "ada@example.com",
  phone: "+1 555 0100",
  street: "1 Mill Road",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country: "US",
  version: EXAMPLE_VERSION,
};

export const examples = createExamples({ texts: TEXTS, address: ADDRESS });
export const { createExample, createFieldsExample } = examples;
