import type { ExportResponsesQuery, Survey } from '@survey/client';
import { localize } from '@survey/questionnaire';
import { useState } from 'react';
import { useDownloads } from '../downloads/downloads.tsx';
import type { RowFormat } from '../downloads/row-counter.ts';
import { useClient } from '../session/session.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, SelectField } from '../ui/fields.tsx';
import type { ResponseFilter } from './response-search.ts';

interface Props {
  readonly survey: Survey;
  /** The filters of the list. */
  readonly filter: ResponseFilter;
  readonly onClose: () => void;
}

const FORMATS = {
  csv: { label: 'CSV, for spreadsheets', mediaType: 'text/csv' },
  ndjson: { label: 'NDJSON, one response a line', mediaType: 'application/x-ndjson' },
  json: { label: 'JSON, an array', mediaType: 'application/json' },
} as const satisfies Record<RowFormat, object>;

const FILTER_NAMES: Readonly<Record<keyof ResponseFilter, string>> = {
  status: 'status',
  link_id: 'link',
  language: 'language',
  since: 'created from',
  until: 'created before',
  completed_since: 'completed from',
  completed_until: 'completed before',
  updated_since: 'changed from',
};

/** Chooses the options of an export, and starts it. */
export function ExportDialog({ survey, filter, onClose }: Props) {
  const client = useClient();
  const { start } = useDownloads();
  const [format, setFormat] = useState<RowFormat>('csv');
  const [labels, setLabels] = useState<'ids' | 'texts'>('ids');
  const [onlyFiltered, setOnlyFiltered] = useState(true);
  const filters = Object.entries(filter);

  function startExport(): Promise<void> {
    const selected = onlyFiltered ? filter : {};
    const query: ExportResponsesQuery = { ...selected, format, ...(format === 'csv' ? { labels } : {}) };
    return start({
      group: survey.id,
      fileName: `${localize(survey.definition, survey.definition.title, navigator.language) || 'responses'}.${format}`,
      mediaType: FORMATS[format].mediaType,
      asksForPlace: true,
      rowFormat: format,
      open: (signal) => client.responses.export(survey.id, query, { signal }),
      countRows: async (signal) => (await client.responses.count(survey.id, selected, { signal })).count,
    });
  }

  return (
    <FormDialog title="Export responses" isOpen onClose={onClose} submitLabel="Export" onSubmit={startExport}>
      <SelectField
        label="Format"
        value={format}
        onChange={setFormat}
        options={Object.entries(FORMATS).map(([value, { label }]) => ({ value: value as RowFormat, label }))}
      />
      {format === 'csv' && (
        <SelectField
          label="Names of questions and options"
          description="A file with ids can be imported again."
          value={labels}
          onChange={setLabels}
          options={[
            { value: 'ids', label: 'Ids' },
            { value: 'texts', label: 'Texts in the first language of the survey' },
          ]}
        />
      )}
      {filters.length > 0 && (
        <>
          <Checkbox label="Only responses that match the filters" checked={onlyFiltered} onChange={setOnlyFiltered} />
          <dl>
            {filters.map(([name, value]) => (
              <Filter key={name} name={FILTER_NAMES[name as keyof ResponseFilter]} value={value} />
            ))}
          </dl>
        </>
      )}
      <p className="soft small">The export goes on while you use other pages. This page shows its progress.</p>
    </FormDialog>
  );
}

function Filter({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}
