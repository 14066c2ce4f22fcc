import type { Project } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';

/** Projects beyond this number are not offered for choice. */
const MAX_PROJECTS = 1_000;

/** Loads the projects for choices. Returns none before they are loaded, and without the permission. */
export function useProjects(): readonly Project[] {
  const client = useClient();
  const mayRead = useCan()('projects:read');
  const query = useQuery({
    queryKey: ['projects'],
    queryFn: async ({ signal }) => (await client.projects.list({ limit: MAX_PROJECTS }, { signal }).page()).items,
    enabled: mayRead,
  });
  return query.data ?? [];
}
