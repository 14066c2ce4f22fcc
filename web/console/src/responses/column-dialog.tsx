import { shorten } from '@survey/questionnaire/shorten';
import { useState } from 'react';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, FieldGroup } from '../ui/fields.tsx';
import type { ColumnChoice } from './response-columns.tsx';
import { MAX_COLUMNS } from './response-search.ts';

const MAX_LABEL_LENGTH = 150;

interface Props {
  readonly responseColumns: readonly ColumnChoice[];
  readonly questionColumns: readonly ColumnChoice[];
  readonly chosen: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Chooses the columns of the table. They appear in the order of the dialog. */
export function ColumnDialog({ responseColumns, questionColumns, chosen, onChoose, onClose }: Props) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const all = [...responseColumns, ...questionColumns];
  const columns = all.map(({ id }) => id).filter((id) => selected.has(id));
  const group = (label: string, choices: readonly ColumnChoice[]) => (
    <FieldGroup label={label}>
      {choices.map((choice) => (
        <Checkbox
          key={choice.id}
          label={shorten(choice.label, MAX_LABEL_LENGTH)}
          checked={selected.has(choice.id)}
          onChange={(checked) =>
            setSelected(
              (before) => new Set(checked ? [...before, choice.id] : [...before].filter((id) => id !== choice.id)),
            )
          }
        />
      ))}
    </FieldGroup>
  );
  return (
    <FormDialog
      title="Columns"
      isOpen
      onClose={onClose}
      submitLabel="Show these"
      onSubmit={async () => {
        if (columns.length === 0) throw new Error('Choose at least one column.');
        if (columns.length > MAX_COLUMNS) throw new Error(`Choose at most ${MAX_COLUMNS} columns.`);
        onChoose(columns);
      }}
    >
      {group('About the response', responseColumns)}
      {group('Questions', questionColumns)}
    </FormDialog>
  );
}
