import { FILTERED_CARD } from './settings.ts'

/** 13 to 19 digits in one piece, or in the groups that are printed on cards; not as part of a longer word or number. */
const CANDIDATE =
  /(?<![\w.]|\w-)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?!\w|-\d|\.\d)/g

/** First digits of the card networks; without them every tenth long id would pass for a card. */
const NETWORK = /^(?:4|5[1-5]|2[2-7]|3[4-9]|6[0245]|8)/

export function scrubCards(text: string): string {
  let out = ''
  let from = 0
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    if (isCardNumber(match[0])) {
      out += text.slice(from, match.index) + FILTERED_CARD
      from = CANDIDATE.lastIndex
      continue
    }
    // `1234 4111 1111 1111 1111`: the card may begin with the next group.
    const group = match[0].search(/[ -]/)
    if (group > 0) CANDIDATE.lastIndex = match.index + group
  }
  return from === 0 ? text : out + text.slice(from)
}

/** By the network's first digits and the Luhn sum. Spaces and dashes are ignored. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  if (digits.length < 13 || digits.length > 19 || !NETWORK.test(digits)) return false
  let sum = 0
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48
    const value = double ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
