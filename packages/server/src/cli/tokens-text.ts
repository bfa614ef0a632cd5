import type { TokensAfter } from '@sonde/commands'

const count = (tokens: number): string => (tokens === 1 ? '1 token' : `${tokens} tokens`)

/** What became of a person's own tokens. Nothing when there are none. */
export function tokensText({ endedTokens, keptTokens }: TokensAfter): readonly string[] {
  return [
    ...(endedTokens > 0 ? [`${count(endedTokens)} of theirs ended.`] : []),
    ...(keptTokens > 0
      ? [`${count(keptTokens)} of theirs still work: sonde token list, sonde token delete ID`]
      : []),
  ]
}
