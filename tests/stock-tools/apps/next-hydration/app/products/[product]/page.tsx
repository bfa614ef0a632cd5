import { DeliveryClock } from '../../clock'

export default function Page() {
  return <DeliveryClock />
}
