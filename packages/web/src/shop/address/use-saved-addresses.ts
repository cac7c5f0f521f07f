import { isPartlineError, type ShippingAddress } from "@partline/client";
import { useEffect, useState } from "react";
import { useShop } from "../context.tsx";

/** Where the signed-in user's latest orders went, the latest first, each place once; none for a guest. */
export function useSavedAddresses(): readonly ShippingAddress[] | undefined {
  const { partline, user } = useShop();
  const userId = user?.id;
  const [addresses, setAddresses] = useState<ShippingAddress[]>();
  useEffect(() => {
    if (!partline || userId === undefined) return undefined;
    const leaving = new AbortController();
    partline.order.listForUser({ userId, page: 1, pageSize: 20 }, { signal: leaving.signal }).then(
      ({ orders }) => {
        const placesByText = new Map(
          orders.flatMap(({ shippingAddress: address, addressMissing }) =>
            address && !addressMissing ? [[formatAddress(address), address] as const] : [],
          ),
        );
        setAddresses([...placesByText.values()]);
      },
      (error: unknown) => {
        // The address is typed then.
        if (!isPartlineError(error)) throw error;
      },
    );
    return () => leaving.abort();
  }, [partline, userId]);
  return addresses;
}

export function formatAddress({ name, street, city, state, postalCode, country }: ShippingAddress): string {
  return [name, street, [city, state, postalCode].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
}
