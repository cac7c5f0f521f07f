import { isPartlineError, type ShippingAddress } from "@partline/client";
import { useEffect, useState } from "react";
import { useShop } from "../context.tsx";

/** The signed-in user's own addresses, the default first, then where the latest orders went; none for a guest. */
export function useSavedAddresses(): readonly ShippingAddress[] | undefined {
  const { partline, user } = useShop();
  const userId = user?.id;
  const [addresses, setAddresses] = useState<ShippingAddress[]>();
  useEffect(() => {
    if (!partline || userId === undefined) return undefined;
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
    Promise.all([
      partline.user.me({}, options),
      partline.order.listForUser({ userId, page: 1, pageSize: 20 }, options),
    ]).then(
      ([profile, { orders }]) => {
        const orderAddresses = orders.flatMap(({ shippingAddress: address, addressMissing }) =>
          address && !addressMissing ? [address] : [],
        );
        // The first of each place counts.
        const places = [...profile.addresses, ...orderAddresses].reverse();
        const placesByText = new Map(places.map((address) => [formatAddress(address), address]));
        setAddresses([...placesByText.values()].reverse());
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
