import type { ExportResponsesQuery, Survey } from '@survey/client';
import { localize } from '@survey/questionnaire';
import { useState } from 'react';
import { useDownloads } from '../downloads/downloads.tsx';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../ui/fields.tsx';
import type { ResponseFilter } from './response-search.ts';

interface Props {
  readonly survey: Survey;
  /** The filters of the list. */
  readonly filter: ResponseFilter;
  /** Suggested language of texts. */
  readonly language: string;
  readonly onClose: () => void;
}

type Format = 'csv' | 'xlsx' | 'ndjson' | 'json';

const FORMATS: Readonly<Record<Format, { readonly label: string; readonly mediaType: string }>> = {
  csv: { label: 'CSV, for spreadsheets and statistics', mediaType: 'text/csv' },
  xlsx: {
    label: 'XLSX, a workbook with a codebook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  ndjson: { label: 'NDJSON, one response a line', mediaType: 'application/x-ndjson' },
  json: { label: 'JSON, an array', mediaType: 'application/json' },
};

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

const LONGEST_NOT_SHOWN = 32;

/** Chooses the options of an export, and starts it. */
export function ExportDialog({ survey, filter, language: suggested, onClose }: Props) {
  const client = useClient();
  const { start } = useDownloads();
  const [format, setFormat] = useState<Format>('csv');
  const [labels, setLabels] = useState<'ids' | 'texts'>('ids');
  const [language, setLanguage] = useState(suggested);
  const [masksFormulas, setMasksFormulas] = useState(true);
  const [notShown, setNotShown] = useState('');
  const [onlyFiltered, setOnlyFiltered] = useState(true);
  const filters = Object.entries(filter);
  const languages = survey.definition.supported_languages ?? [];
  const isTable = format === 'csv' || format === 'xlsx';
  // Texts are in the file, or in the codebook of a workbook.
  const hasTexts = isTable && (labels === 'texts' || format === 'xlsx');
  const title = localize(survey.definition, survey.definition.title, suggested) || 'responses';

  function startExport(): Promise<void> {
    const selected = onlyFiltered ? filter : {};
    const query: ExportResponsesQuery = {
      ...selected,
      format,
      ...(isTable ? { labels } : {}),
      ...(hasTexts ? { display_language: language } : {}),
      ...(isTable && notShown !== '' ? { not_shown: notShown } : {}),
      ...(format === 'csv' ? { mask_formulas: masksFormulas } : {}),
    };
    return start({
      group: survey.id,
      fileName: `${title}.${format}`,
      mediaType: FORMATS[format].mediaType,
      asksForLocation: true,
      rowFormat: format === 'xlsx' ? undefined : format,
      open: (signal) => client.responses.export(survey.id, query, { signal }),
    });
  }

  function startCodebook(): void {
    void start({
      group: survey.id,
      fileName: `${title} codebook.csv`,
      mediaType: FORMATS.csv.mediaType,
      asksForLocation: false,
      open: (signal) =>
        client.responses.exportCodebook(
          survey.id,
          { display_language: language, mask_formulas: masksFormulas },
          { signal },
        ),
    });
    onClose();
  }

  return (
    <FormDialog title="Export responses" isOpen onClose={onClose} submitLabel="Export" onSubmit={startExport}>
      <SelectField
        label="Format"
        value={format}
        onChange={setFormat}
        options={Object.entries(FORMATS).map(([value, { label }]) => ({ value: value as Format, label }))}
      />
      {isTable && (
        <SelectField
          label="Names of questions and options"
          description="A file with ids can be imported again."
          value={labels}
          onChange={setLabels}
          options={[
            { value: 'ids', label: 'Ids' },
            { value: 'texts', label: 'Texts' },
          ]}
        />
      )}
      {isTable && languages.length > 1 && (
        <SelectField
          label="Language of texts"
          description="Of this file, if it has texts, and of the codebook."
          value={language}
          onChange={setLanguage}
          options={languages.map((value) => ({ value, label: value }))}
        />
      )}
      {isTable && (
        <TextField
          label="Value for questions not shown"
          description="Such as -99. Empty: as for questions without an answer. A file with it cannot be imported again."
          maxLength={LONGEST_NOT_SHOWN}
          value={notShown}
          onChange={setNotShown}
        />
      )}
      {format === 'csv' && (
        <Checkbox
          label="Put an apostrophe before texts that a spreadsheet could run as formulas"
          checked={masksFormulas}
          onChange={setMasksFormulas}
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
      {isTable && (
        <div>
          <Button onPress={startCodebook}>Download only the codebook</Button>
        </div>
      )}
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
