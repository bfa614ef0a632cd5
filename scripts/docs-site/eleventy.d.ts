/** What of the generator and its Markdown is used here; it brings no types of its own. https://www.11ty.dev/docs/programmatic/ */
declare module '@11ty/eleventy' {
  export type Token = {
    readonly type: string
    readonly tag: string
    readonly content: string
    readonly info: string
    attrs: [string, string][] | null
    readonly children: readonly Token[] | null
    attrGet(name: string): string | null
    attrSet(name: string, value: string): void
  }
  type State = { readonly tokens: readonly Token[]; readonly env: unknown }
  type Rule = (tokens: readonly Token[], at: number, options: unknown, env: unknown) => string
  export type MarkdownIt = {
    set(options: { highlight?: (text: string, language: string) => string }): void
    readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
    readonly renderer: { readonly rules: Record<string, Rule | undefined> }
  }
  export type UserConfig = {
    setUseGitIgnore(use: boolean): void
    setTemplateFormats(formats: readonly string[]): void
    amendLibrary(engine: 'md', amend: (md: MarkdownIt) => void): void
    addGlobalData(name: string, value: unknown): void
    addTemplate(path: string, content: string, data: Readonly<Record<string, unknown>>): void
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string | undefined,
      options: { readonly quietMode: boolean; config(config: UserConfig): void },
    )
    /** Writes nothing. `inputPath`: `./docs/glossary.md`. */
    toJSON(): Promise<readonly { readonly inputPath: string; readonly content: string }[]>
  }
}
