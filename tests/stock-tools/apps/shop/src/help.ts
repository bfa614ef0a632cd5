export const HELP = 'Orders are sent on the day on which they are paid.'

console.info(HELP)
