export { Form, type FormProps } from './client/form.tsx'
export {
  type ActionDataOf,
  type DataOf,
  useActionData,
  useNavigate,
  useNewBuild,
  usePageData,
  useParams,
  usePending,
  useRevalidate,
  useRouteTemplate,
} from './client/hooks.ts'
export { Link, type LinkProps } from './client/link.tsx'
export { Outlet, useLocation, useSearchParams } from 'react-router'
