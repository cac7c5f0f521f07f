import { get, type IncomingMessage } from "node:http";
import { eventually } from "./eventually.ts";

export interface StreamedEvent {
  id: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black-box client has no types to rely on
  data: any;
}

export interface OpenStream {
  status: number;
  headers: IncomingMessage["headers"];
  /** Everything that came, as it came. */
  text(): string;
  events(): StreamedEvent[];
  /** Resolves when this many events have come. */
  has(count: number): Promise<StreamedEvent[]>;
  /** Resolves when the server has ended the stream as HTTP ends an answer. */
  ended: Promise<void>;
  pause(): void;
  resume(): void;
  close(): void;
}

/** A plain HTTP client of server-sent events. */
export function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      const events = (): StreamedEvent[] =>
        text
          .split("\n\n")
          .slice(0, -1)
          .flatMap((block) => {
            const fields = new Map(
              block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
            );
            return fields.has("data") ? [{ id: Number(fields.get("id")), data: JSON.parse(fields.get("data")!) }] : [];
          });
      const ended = new Promise<void>((end, fail) => response.on("end", end).on("error", fail));
      // A stream that the test closes itself ends in an error that nobody asks for.
      ended.catch(() => undefined);
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => text,
        events,
        has: (count) => eventually(() => events().length >= count && events()),
        ended,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => request.destroy(),
      });
    });
    request.on("error", reject);
  });
}
