export { createMcp, type McpOptions } from './create-mcp.ts'
export { TOOLS } from './tools/index.ts'
