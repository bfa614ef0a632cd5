const MOVES = [
  ['j k', 'next, previous'],
  ['o', 'open'],
  ['/', 'search'],
] as const
const CHANGES = [
  ['x', 'choose'],
  ['e', 'resolve'],
  ['m', 'ignore'],
  ['u', 'reopen'],
  ['?', 'all keys'],
] as const

/** Where there is a keyboard. */
export function KeyHints({ canChange }: { readonly canChange: boolean }) {
  return (
    <ul className="key-hints" aria-label="Keys of this list">
      {[...MOVES, ...(canChange ? CHANGES : [])].map(([keys, what]) => (
        <li key={keys}>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{' '}
          {what}
        </li>
      ))}
    </ul>
  )
}
