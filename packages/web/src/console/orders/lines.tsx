import type { AdminOrder } from "@partline/client";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { money } from "../shared/format.ts";
import { nameState } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { listDays, resolveLineState } from "./pieces.ts";
import { Section } from "../shared/section.tsx";

export function Lines({ order }: { order: AdminOrder }): ReactNode {
  const { items, currency } = order;
  const may = useMay();
  return (
    <Section title={texts.order.lines}>
      <List dense disablePadding>
        {items.map((line, index) => (
          <ListItem key={index} disableGutters divider={index < items.length - 1}>
            <ListItemText
              primary={
                <>
                  {line.quantity} ×{" "}
                  {may("catalog:read") ? (
                    <Link to={`/catalog-parts/${encodeURIComponent(line.productId)}/show`}>{line.partNumber}</Link>
                  ) : (
                    line.partNumber
                  )}
                  {" · "}
                  {line.name}
                </>
              }
              secondary={[money(line.price, currency), describeStates(line, order), ...listDays(line)].join(" · ")}
            />
            {money(line.total, currency)}
          </ListItem>
        ))}
      </List>
    </Section>
  );
}

/** `3 to pack (1 from another store, 2 not counted), 2 on backorder`. */
function describeStates(line: AdminOrder["items"][number], order: AdminOrder): string {
  const { quantities, elsewhere = 0, uncounted = 0 } = line;
  const remote = Math.min(elsewhere, quantities.open);
  // Of a part that was counted since, some pieces wait.
  const unknown = quantities.backordered > 0 ? 0 : Math.min(uncounted, quantities.open);
  const { unknown: notCounted } = texts.parts.availabilities;
  const facts = [
    ...(remote > 0 ? [texts.order.countElsewhere(remote)] : []),
    ...(unknown > 0 ? [unknown < quantities.open ? `${unknown} ${notCounted}` : notCounted] : []),
  ].join(", ");
  return Object.entries<number>({ ...quantities })
    .filter(([, quantity]) => quantity > 0)
    .map(([name, quantity]) => {
      const words = `${quantity} ${nameState(resolveLineState(order, name), quantity)}`;
      return name === "open" && facts !== "" ? `${words} (${facts})` : words;
    })
    .join(", ");
}
