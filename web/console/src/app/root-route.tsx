import { createRootRoute } from '@tanstack/react-router';
import { Layout, NotFound } from './layout.tsx';

/** The parent of all pages. Each area adds its routes to it. */
export const rootRoute = createRootRoute({ component: Layout, notFoundComponent: NotFound });
