import { connect } from "node:net";
import { SettingsError } from "../broker/settings-reader.ts";

/** Moleculer waits for NATS for ever; a start should rather end with the setting's name. */
export async function requireNats(natsUrl: string): Promise<void> {
  const urls = natsUrl.split(",").map((url) => url.trim());
  const answers = await Promise.all(urls.map(reachable));
  if (!answers.includes(true)) throw new SettingsError("NATS_URL: no server answers there");
}

function reachable(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url.includes("://") ? url : `nats://${url}`);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 4222), timeout: 3_000 });
    const finish = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", finish(true)).once("error", finish(false)).once("timeout", finish(false));
  });
}
