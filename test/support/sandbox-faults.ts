/** Sets and ends the faults of a sandbox, which may be started later. */
export function createFaults(sandbox: () => { url: string }) {
  const send = (init: RequestInit) =>
    fetch(`${sandbox().url}/sandbox/faults`, {
      headers: { "content-type": "application/json", connection: "close" },
      ...init,
    });
  return {
    async set(fault: object): Promise<void> {
      const response = await send({ method: "POST", body: JSON.stringify(fault) });
      if (!response.ok) throw new Error(await response.text());
    },
    allWell: async (): Promise<void> => void (await send({ method: "DELETE" })),
  };
}

/** Those of a sandbox that runs, by kind. */
export function controlFaults(url: string) {
  const { set, allWell } = createFaults(() => ({ url }));
  return { fault: (kind: string, value?: unknown, times?: number) => set({ kind, value, times }), allWell };
}
