import type { Survey } from '@survey/client';
import type { DefinitionChoice } from '../surveys/use-survey.ts';
import { SelectField } from '../ui/fields.tsx';
import { readVersion } from './definition-search.ts';

interface Props {
  readonly survey: Survey;
  readonly value: DefinitionChoice;
  readonly onChange: (choice: DefinitionChoice) => void;
}

/** Chooses between the latest version of a definition, its draft, and the version in the address. */
export function DefinitionSelect({ survey, value, onChange }: Props) {
  const isOlder = typeof value === 'number' && value !== survey.version;
  return (
    <SelectField
      label="Definition"
      value={value === undefined || value === survey.version ? '' : String(value)}
      onChange={(choice) => onChange(readVersion(choice))}
      options={[
        { value: '', label: `Version ${survey.version}, the latest` },
        ...(survey.has_draft ? [{ value: 'draft', label: 'Draft, not published' }] : []),
        ...(isOlder ? [{ value: String(value), label: `Version ${value}` }] : []),
      ]}
    />
  );
}
