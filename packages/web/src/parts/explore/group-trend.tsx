type Props = {
  readonly values: readonly (number | null)[]
  /** The largest value of all groups: they share one scale. */
  readonly peak: number
  readonly label: string
  readonly format: (value: number) => string
}

const BAR = 3
const GAP = 1
const HEIGHT = 24

/** One group over time, on the scale of the groups beside it. */
export function GroupTrend({ values, peak, label, format }: Props) {
  const own = values.filter((value) => value !== null)
  const text =
    own.length === 0 ? 'nothing in this time' : `${label}: at most ${format(Math.max(...own))} in one bar`
  return (
    <svg
      className="explore-trend"
      viewBox={`0 0 ${values.length * (BAR + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {values.map((value, index) => {
        if (value === null || peak <= 0) return null
        const size = Math.max(1, (value / peak) * HEIGHT)
        return <rect key={index} x={index * (BAR + GAP)} y={HEIGHT - size} width={BAR} height={size} />
      })}
    </svg>
  )
}
