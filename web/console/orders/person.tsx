import type { AdminOrder } from "@partline/client";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";
import { Facts } from "./facts.tsx";
import { Section } from "./section.tsx";

export function Person({ order }: { order: AdminOrder }): ReactNode {
  const { contact, shippingAddress: address, userId, shippingMethod } = order;
  const city = [address?.city, address?.state, address?.postalCode].filter(Boolean).join(" ");
  const lines = address && [address.name, address.street, city, address.country].filter(Boolean).join("\n");
  return (
    <Section title={texts.order.people}>
      <Facts
        facts={[
          ["Name", contact?.name],
          ["E-mail", contact?.email],
          ["Phone", contact?.phone ?? address?.phone],
          ["User", userId],
          ["Ship to", lines],
          ["By", shippingMethod && `${shippingMethod.provider} ${shippingMethod.serviceType}`],
          ["Note at checkout", order.adminNote],
        ]}
      />
    </Section>
  );
}
