import type { Project } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useCan, useClient } from '../session/session.tsx';
import { choiceLimitDescription, MAX_CHOICES, SelectField } from '../ui/fields.tsx';

interface Props {
  readonly value: string | undefined;
  /** Label of the choice of no project. */
  readonly noneLabel: string;
  readonly onChange: (projectId: string | undefined) => void;
}

/** Chooses a project. Not shown as long as there are none. */
export function ProjectSelect({ value, noneLabel, onChange }: Props) {
  const projects = useProjects();
  if (projects.length === 0 && value === undefined) return null;
  const isUnknown = value !== undefined && projects.every(({ id }) => id !== value);
  return (
    <SelectField
      label="Project"
      {...choiceLimitDescription(projects.length)}
      value={value ?? ''}
      onChange={(id) => onChange(id === '' ? undefined : id)}
      options={[
        { value: '', label: noneLabel },
        ...(isUnknown ? [{ value, label: value }] : []),
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

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
