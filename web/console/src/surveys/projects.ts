import type { Project } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { MAX_CHOICES } from './choice-limit.ts';

/**
 * Loads the newest projects for select fields, at most `MAX_CHOICES`. Returns none before they are loaded, and none
 * without the permission.
 */
export function useProjects(): readonly Project[] {
  const client = useClient();
  const mayRead = useCan()('projects:read');
  const query = useQuery({
    queryKey: ['projects'],
    queryFn: async ({ signal }) => (await client.projects.list({ limit: MAX_CHOICES }, { signal }).page()).items,
    enabled: mayRead,
  });
  return query.data ?? [];
}
