import type { PostalAddress } from "@partline/toolkit/pure";

/** A parcel that is to travel. */
export interface Parcel {
  /** The buyer's place. */
  to: PostalAddress & { phone?: string | undefined };
  weightGrams: number;
  hazmat: boolean;
  /** A piece of it is larger than parcel services take. */
  oversize: boolean;
  /** The buyer sends it to the shop. */
  isReturn?: boolean;
  /** Our id, by which people find it in the provider's dashboard. */
  reference: string;
}

export interface LabelRate {
  rateId: string;
  provider: string;
  serviceType: string;
  /** US dollars, as the provider writes them. */
  cost: string;
  estimatedDays?: number;
}

export interface BoughtLabel {
  carrier: string;
  trackingNumber: string;
  /** Where the label can be printed from (PDF). */
  url: string;
  cost: string;
}

/** Labels that are bought and voided. All methods throw PROVIDER_ERROR or TIMEOUT if the provider is away or refuses. */
export interface Labels {
  /** Registers a parcel, which costs nothing. */
  prepare(parcel: Parcel): Promise<{ parcelId: string; rates: LabelRate[] }>;
  /** Returns the label of a parcel, once it is bought. */
  find(parcelId: string): Promise<BoughtLabel | undefined>;
  /** Buys the label of a parcel, which is refused if it is bought already. */
  buy(parcelId: string, rateId: string): Promise<void>;
  /** Asks for the money of a label back, once. Returns whether the provider takes the request. */
  refund(parcelId: string): Promise<boolean>;
}
