import type { OwnStock, PlaceStock } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Actor } from "../shared/actor.tsx";
import { Facts } from "../shared/facts.tsx";
import { count, moment } from "../shared/format.ts";
import { Listed } from "../shared/listed.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { CountDialog, type CountedPlace } from "./count-dialog.tsx";

const { stock } = texts;
/** Of a part that nobody has counted. */
const FIRST_PLACE = { place: "main", onHand: 0, version: 0 };

/** What the shop has of a part by place, how it came to it, and the count by hand. */
export function OwnStockSection({ id }: { id: string }): ReactNode {
  const mayCount = useMay()("stock:write");
  const [counted, setCounted] = useState<CountedPlace>();
  const { data, refusal } = useReading(["own-stock", id], (signal) => partline.catalog.ownStock({ id }, { signal }));
  return (
    <Section title={stock.title}>
      <Stack spacing={2}>
        <Refusal error={refusal} />
        {data && <Others stock={data} />}
        <Listed
          name={stock.title}
          emptyText={stock.none}
          items={data?.places}
          columns={[
            [stock.place, ({ place }) => place],
            [stock.onHand, ({ onHand }) => count(onHand)],
            [stock.bin, ({ bin }) => bin],
            [stock.reorderPoint, ({ reorderPoint }) => reorderPoint !== undefined && count(reorderPoint)],
            [stock.countedAt, ({ countedAt }) => (countedAt ? moment(countedAt) : texts.parts.availabilities.unknown)],
            ...(mayCount
              ? [
                  [
                    texts.rowActions,
                    (place: PlaceStock) => (
                      <Button
                        size="small"
                        variant="outlined"
                        aria-label={`${stock.count}: ${place.place}`}
                        onClick={() => setCounted(place)}
                      >
                        {stock.count}
                      </Button>
                    ),
                  ] as const,
                ]
              : []),
          ]}
        />
        {mayCount && data && (
          <Button
            variant="outlined"
            sx={{ alignSelf: "start" }}
            onClick={() => setCounted(data.places.length === 0 ? FIRST_PLACE : { ...FIRST_PLACE, place: "" })}
          >
            {data.places.length === 0 ? stock.count : stock.addPlace}
          </Button>
        )}
        {data && data.movements.length > 0 && <Movements movements={data.movements} />}
      </Stack>
      {counted && <CountDialog id={id} counted={counted} onClose={() => setCounted(undefined)} />}
    </Section>
  );
}

/** What the dealer says, and what is held. */
function Others({ stock: { dealer, held: heldQuantity } }: { stock: OwnStock }): ReactNode {
  const { in_stock: inStock, out_of_stock: outOfStock } = texts.parts.availabilities;
  const quantity = dealer?.quantityOnHand ?? (dealer?.available ? inStock : outOfStock);
  return (
    <Facts
      facts={[
        [stock.dealer, dealer && texts.parts.known(quantity, moment(dealer.learntAt))],
        [stock.promised, heldQuantity > 0 ? count(heldQuantity) : undefined],
      ]}
    />
  );
}

function Movements({ movements }: Pick<OwnStock, "movements">): ReactNode {
  return (
    <Listed
      name={stock.movements}
      emptyText=""
      items={movements}
      columns={[
        [stock.at, (movement) => moment(movement.at)],
        [
          stock.cause,
          ({ cause, orderId }) =>
            orderId === undefined ? (
              stock.causes[cause]
            ) : (
              <Link to={`/orders/${encodeURIComponent(orderId)}/show`}>{stock.causes[cause]}</Link>
            ),
        ],
        [stock.place, ({ place }) => place ?? stock.nowhere],
        [stock.change, ({ change }) => (change > 0 ? `+${count(change)}` : count(change))],
        [stock.onHand, ({ onHand }) => onHand !== undefined && count(onHand)],
        [stock.reason, ({ reason }) => reason],
        [texts.audit.actor, ({ actor }) => <Actor name={actor} />],
      ]}
    />
  );
}
