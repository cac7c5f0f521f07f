import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

export interface EventDocument extends Document {
  position: number;
  aggregate_id: string;
  aggregate_type: string;
  event_type: string;
  version: number;
  data: Record<string, unknown>;
  timestamp: Date;
}

export const EVENTS: CollectionDefinition = {
  name: "events",
  fields: { position: "number", aggregate_id: "string", aggregate_type: "string", event_type: "string", version: "number", timestamp: "date" },
  indexes: [
    { keys: { position: 1 }, unique: true },
    { keys: { aggregate_id: 1, version: 1 }, unique: true },
  ],
};
