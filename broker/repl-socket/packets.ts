import type { Socket } from "node:net";

const [SPACE, NEWLINE] = [0x20, 0x0a];

/** A line: type and payload, JSON without a newline. */
export function writePacket(socket: Socket, type: string, payload: Buffer): void {
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${type} `), payload, Buffer.from([NEWLINE])]));
}

export function onPacket(socket: Socket, listener: (type: string, payload: Buffer) => void): void {
  let kept: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...kept, rest.subarray(0, end)]);
      kept = [];
      rest = rest.subarray(end + 1);
      const space = line.indexOf(SPACE);
      listener(line.toString("latin1", 0, space), line.subarray(space + 1));
    }
    kept.push(rest);
  });
}
