/**
 * `npm run mcp`: the tools of a running system over standard input and output, for agents that start their servers
 * themselves. MCP_URL is the system's `/mcp`.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const url = process.env.MCP_URL ?? "http://127.0.0.1:8001/mcp";

try {
  await serve(new URL(url));
} catch (error) {
  // Standard output is the protocol's.
  process.stderr.write(`The tools at ${url} cannot be reached: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function serve(address: URL): Promise<void> {
  const system = new Client({ name: "partline-stdio", version: "1" });
  await system.connect(new StreamableHTTPClientTransport(address));
  const { server } = new McpServer(system.getServerVersion()!, {
    capabilities: { tools: {} },
    instructions: system.getInstructions(),
  });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => system.listTools(params));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => system.callTool(params));
  server.onclose = () => void system.close();
  await server.connect(new StdioServerTransport());
}
