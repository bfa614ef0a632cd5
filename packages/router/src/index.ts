export { type RouterEvent, onRouterEvent } from './client/events.ts'
export { Form, type FormProps } from './client/form.tsx'
export {
  type ActionDataOf,
  type DataOf,
  useActionData,
  useLocation,
  useNavigate,
  useNewBuild,
  usePageData,
  useParams,
  usePending,
  usePost,
  useRevalidate,
  useRouteTemplate,
  useSearchParams,
  useTyped,
} from './client/hooks.ts'
export { laterPart } from './client/later-part.tsx'
export { Link, type LinkProps } from './client/link.tsx'
export type { PostOutcome } from './client/post.ts'
export type { FailureProps } from './client/route-modules.ts'
