import { SelectField } from '../ui/fields.tsx';
import { choiceLimitDescription } from './choice-limit.ts';
import { useProjects } from './projects.ts';

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
