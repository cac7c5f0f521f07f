/** Sets and ends the faults of a sandbox. */
export function controlFaults(url: string) {
  const send = (init: RequestInit) =>
    fetch(`${url}/sandbox/faults`, {
      headers: { "content-type": "application/json", connection: "close" },
      ...init,
    });
  return {
    async fault(kind: string, value?: unknown, times?: number): Promise<void> {
      const response = await send({ method: "POST", body: JSON.stringify({ kind, value, times }) });
      if (!response.ok) throw new Error(await response.text());
    },
    allWell: async (): Promise<void> => void (await send({ method: "DELETE" })),
  };
}
