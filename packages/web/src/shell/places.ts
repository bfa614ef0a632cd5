/** Where the viewer can go: what the switcher and the palette read from `/settings/go`. */
export type Places = {
  readonly projects: readonly { readonly org: string; readonly slug: string; readonly name: string }[]
  readonly issues: readonly PlaceIssue[]
}
type PlaceIssue = {
  readonly org: string
  readonly project: string
  readonly shortId: string
  readonly title: string
  readonly level: string
}
