import type { AdminOrder } from "@partline/client";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { UserName } from "../shared/actor.tsx";
import { nameMethod } from "@partline/toolkit/pure";
import { listAddressLines } from "../../shared/address-lines.ts";
import { language, texts } from "../texts.ts";
import { Facts } from "../shared/facts.tsx";
import { usePickupPlaces } from "./pickup-places.ts";
import { describePromise } from "./pieces.ts";
import { Section } from "../shared/section.tsx";

export function Person({ order }: { order: AdminOrder }): ReactNode {
  const { contact, shippingAddress: address, userId, shippingMethod, fulfilment, pickupPlace } = order;
  const places = usePickupPlaces(pickupPlace);
  const may = useMay();
  const lines = address && listAddressLines(address, language).join("\n");
  return (
    <Section title={texts.order.people}>
      <Facts
        facts={[
          [texts.person.name, contact?.name],
          [texts.person.email, contact?.email],
          [texts.person.phone, contact?.phone ?? address?.phone],
          [
            texts.person.user,
            userId === "guest" ? (
              texts.orders.guest
            ) : may("users:read") ? (
              <Link to={`/users/${encodeURIComponent(userId)}/show`}>
                <UserName id={userId} />
              </Link>
            ) : (
              userId
            ),
          ],
          fulfilment === "pickup"
            ? [texts.person.pickUpAt, places.map(({ name, hours }) => [name, ...hours].join("\n")).join("\n")]
            : [texts.person.shipTo, lines],
          [texts.person.by, shippingMethod && nameMethod(shippingMethod, language)],
          [texts.person.promised, describeShown(order)],
          [texts.person.noteAtCheckout, order.adminNote],
          [texts.person.erasing, order.erasing && texts.person.erasingWhenDone],
        ]}
      />
    </Section>
  );
}

/** Says which day the buyer was shown, and whether it still counts. */
function describeShown({ shownPromise, deliveryPromise, status }: AdminOrder): string | undefined {
  const day = shownPromise && describePromise(shownPromise);
  const isOver = status === "delivered" || status === "cancelled";
  return day === undefined || deliveryPromise || isOver ? day : texts.person.describeReplaced(day);
}
