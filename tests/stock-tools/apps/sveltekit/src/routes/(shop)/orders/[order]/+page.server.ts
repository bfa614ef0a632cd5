export const load = ({ params }: { params: { order: string } }) => ({ order: params.order })
