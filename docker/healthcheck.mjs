// Asks this container's process for its health at HEALTH_PORT. The first argument is the path (default /health/live).
const { HOST = "127.0.0.1", HEALTH_PORT } = process.env;
const host = ["0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
const path = process.argv[2] ?? "/health/live";
const status = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${HEALTH_PORT}${path}`, {
  signal: AbortSignal.timeout(4_000),
}).then(
  (answer) => answer.status,
  (error) => error.cause?.code ?? error.name,
);
if (status !== 200) console.log(`${path}: ${status}`);
process.exit(status === 200 ? 0 : 1);
