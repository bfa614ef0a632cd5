/** What the process of the console is told, and what it answers. */
export type OpenConsole = {
  /** A folder of its own, for what does not fit into memory. */
  readonly dir: string
  readonly maxMemoryBytes: number
  /** What a statement may take. */
  readonly seconds: number
  /** Statements that make the tables. */
  readonly tables: readonly string[]
}

export type ConsoleRequest = { readonly id: number } & (
  | {
      readonly kind: 'use'
      readonly database: string
      readonly prefix: string
      readonly make: readonly string[]
    }
  | { readonly kind: 'format'; readonly sql: string }
  | { readonly kind: 'run'; readonly sql: string }
)

/** `text`: the answer of the engine. The first, with the id 0, tells that it is open. */
export type ConsoleReply = { readonly id: number } & (
  | { readonly text: string }
  | { readonly code: number | undefined; readonly message: string }
)
