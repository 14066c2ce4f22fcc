import { SelectField } from '../ui/fields.tsx';
import { describeChoices } from './choice-limit.ts';
import { useProjects } from './projects.ts';

interface Props {
  readonly value: string | undefined;
  /** Label of the choice of no project. */
  readonly none: string;
  readonly onChange: (projectId: string | undefined) => void;
}

/** Chooses a project. Not shown as long as there are none. */
export function ProjectSelect({ value, none, onChange }: Props) {
  const projects = useProjects();
  if (projects.length === 0 && value === undefined) return null;
  const isUnknown = value !== undefined && projects.every(({ id }) => id !== value);
  return (
    <SelectField
      label="Project"
      {...describeChoices(projects.length)}
      value={value ?? ''}
      onChange={(id) => onChange(id === '' ? undefined : id)}
      options={[
        { value: '', label: none },
        ...(isUnknown ? [{ value, label: value }] : []),
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
