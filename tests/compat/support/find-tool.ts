/** A program that a test needs, or why it cannot be had on this machine. */
export type Tool = { readonly path: string; readonly skip: false | string }

/** A missing tool skips its tests with the reason; in CI (`CI=true`) it fails them, so that they cannot vanish. */
export function findTool(ensure: () => string, env: NodeJS.ProcessEnv = process.env): Tool {
  try {
    return { path: ensure(), skip: false }
  } catch (error) {
    if (env['CI'] === 'true') throw error
    return { path: '', skip: error instanceof Error ? error.message : String(error) }
  }
}
