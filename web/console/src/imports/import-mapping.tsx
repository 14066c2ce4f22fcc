import type { ImportPlan, ImportPlanColumn } from '@survey/client';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { SelectField, toChoices, withCurrent } from '../ui/fields.tsx';
import type { ImportSettings } from './import-settings.ts';
import { columnKey, describeContents, describeFound, targetOptions, withSuggestions } from './mapping.ts';

/** The choice before the user has chosen a value. */
const NONE = { value: '', label: 'choose' };
const SEPARATORS = [
  { value: '', label: 'automatic' },
  { value: ',', label: 'comma' },
  { value: ';', label: 'semicolon' },
  { value: 'tab', label: 'tab' },
  { value: '|', label: 'vertical bar' },
];

interface Props {
  readonly plan: ImportPlan;
  readonly settings: ImportSettings;
  readonly onChange: (settings: ImportSettings) => void;
}

/**
 * The target of each column of a table, which the user can change. Also shows problems, and asks for the notation of
 * dates and decimals if the plan needs it, and for the separator of a text.
 */
export function ImportMapping({ plan, settings, onChange }: Props) {
  const { columns, problems, warnings, suggestions, dialect } = plan;
  const choices = (name: string) => suggestions.find((suggestion) => suggestion.name === name)?.values ?? [];
  const dateFormats = withCurrent([NONE, ...toChoices(choices('date_format'))], settings.dateFormat);
  const decimals = withCurrent([NONE, ...toChoices(choices('decimal'))], settings.decimal);
  const suggested = withSuggestions(columns, settings.columns);
  if (columns.length === 0 && problems.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="mapping">
      <h2 id="mapping">Columns</h2>
      {dialect !== '' && <p className="soft">Read with {dialect}.</p>}
      {problems.length > 0 && (
        <div className="notice" data-tone="warn" role="status">
          <p>The file cannot be imported like this:</p>
          <ul>
            {problems.map(({ code, detail }) => (
              <li key={`${code} ${detail}`}>
                <bdi>{detail}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <div className="notice">
          <p>Check before you import:</p>
          <ul>
            {warnings.map(({ code, detail }) => (
              <li key={`${code} ${detail}`}>
                <bdi>{detail}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="row">
        {settings.format === 'csv' && (
          <SelectField
            label="Separator of cells"
            value={settings.separator}
            onChange={(separator) => onChange({ ...settings, separator })}
            options={SEPARATORS}
          />
        )}
        {dateFormats.length > 1 && (
          <SelectField
            label="Order of dates"
            value={settings.dateFormat}
            onChange={(dateFormat) => onChange({ ...settings, dateFormat })}
            options={dateFormats}
          />
        )}
        {decimals.length > 1 && (
          <SelectField
            label="Decimal separator"
            value={settings.decimal}
            onChange={(decimal) => onChange({ ...settings, decimal: decimal as ImportSettings['decimal'] })}
            options={decimals}
          />
        )}
        {suggested !== undefined && (
          <Button onPress={() => onChange({ ...settings, columns: suggested })}>Use the suggested targets</Button>
        )}
        {Object.keys(settings.columns).length > 0 && (
          <Button onPress={() => onChange({ ...settings, columns: {} })}>Reset the targets</Button>
        )}
      </div>
      {columns.length > 0 && (
        <DataTable
          caption="Columns of the file"
          rows={columns}
          rowKey={({ column }) => String(column)}
          columns={[
            { header: 'Column', cell: ({ heading, column }) => <bdi>{heading === '' ? `#${column}` : heading}</bdi> },
            { header: 'Imported as', cell: (column) => target(column) },
            { header: 'Found by', cell: (column) => describeFound(column) },
            { header: 'Content', cell: ({ contents }) => describeContents(contents) },
            { header: 'Problems', cell: (column) => <bdi>{column.problems.join('; ') || hintOf(column)}</bdi> },
          ]}
        />
      )}
    </section>
  );

  function target(column: ImportPlanColumn) {
    const label = `Target of ${column.heading === '' ? `column ${column.column}` : column.heading}`;
    return (
      <select
        className="input"
        aria-label={label}
        value={column.target}
        onChange={({ target: { value } }) =>
          onChange({ ...settings, columns: { ...settings.columns, [columnKey(column, columns)]: value } })
        }
      >
        {targetOptions(plan.targets, column.target).map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    );
  }
}

function hintOf({ suggestion }: ImportPlanColumn): string {
  return suggestion === '' ? '' : `Suggested: ${suggestion}`;
}
