import type { WholePart } from "@partline/client";
import { fill } from "../../shared/language.ts";
import { ownAddress } from "../format.ts";
import type { TireSizes } from "../part/tire-sizes.ts";
import type { Texts } from "../texts/en.ts";

const AVAILABILITY: Partial<Record<WholePart["availability"], string>> = {
  in_stock: "https://schema.org/InStock",
  low_stock: "https://schema.org/LimitedAvailability",
  // It is sold all the same, and sent once it comes.
  out_of_stock: "https://schema.org/BackOrder",
};

/** Renders what search engines read of a part: a Product of schema.org, with an Offer if it can be bought. */
export function toProduct(part: WholePart, url: string, origin: string, tireSizes?: TireSizes): object {
  const { title, sku, partNumber, manufacturer, description, media, price, status, availability, category } = part;
  const offer = price && {
    "@type": "Offer",
    url,
    price: price.list.value,
    priceCurrency: price.list.currency.toUpperCase(),
    itemCondition: "https://schema.org/NewCondition",
    availability: status === "discontinued" ? "https://schema.org/Discontinued" : AVAILABILITY[availability],
  };
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: title,
    sku,
    mpn: partNumber,
    brand: { "@type": "Brand", name: manufacturer.name },
    category,
    url,
    ...(description === undefined ? {} : { description }),
    ...(media?.images?.length
      ? { image: media.images.map((image) => new URL(ownAddress(image.url), origin).href) }
      : {}),
    ...(offer ? { offers: offer } : {}),
    ...(tireSizes ? createVariant(tireSizes, origin, manufacturer.name) : {}),
  };
}

/** Renders the tire as one size of a ProductGroup. The pages of the others say the same group, and their own price. */
function createVariant({ name, sizes: [ownSize, ...otherSizes] }: TireSizes, origin: string, brand: string): object {
  const id = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return {
    size: ownSize?.size,
    inProductGroupWithID: id,
    isVariantOf: {
      "@type": "ProductGroup",
      name,
      productGroupID: id,
      brand: { "@type": "Brand", name: brand },
      variesBy: ["https://schema.org/size"],
      hasVariant: otherSizes.map(({ slug }) => ({ url: `${origin}/parts/${encodeURIComponent(slug)}` })),
    },
  };
}

/** What is asked most of a part, and its answer: which machines it fits. Undefined if nothing says so. */
export function createFitmentJsonLd(
  { fitment, partNumber, manufacturer }: Pick<WholePart, "fitment" | "partNumber" | "manufacturer">,
  texts: Texts,
): object | undefined {
  const machines = [...new Set(fitment.map(({ equipment }) => equipment))];
  if (machines.length === 0) return undefined;
  const part = `${manufacturer.name} ${partNumber}`;
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: [
      {
        "@type": "Question",
        name: fill(texts.fitQuestion, { part }),
        acceptedAnswer: { "@type": "Answer", text: fill(texts.fitListed, { names: machines.join(", ") }) },
      },
    ],
  };
}
