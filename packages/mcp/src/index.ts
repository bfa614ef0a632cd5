export { createMcp } from './create-mcp.ts'
export type { McpOptions } from './mcp-options.ts'
export { TOOLS } from './tools/index.ts'
