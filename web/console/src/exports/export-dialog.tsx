import { limits, type Survey } from '@survey/client';
import type { ConditionSource } from '@survey/questionnaire/conditions/condition-sources';
import { useState } from 'react';
import { SelectionFacts } from '../conditions/selection-facts.tsx';
import { useDownloads } from '../downloads/downloads.tsx';
import { canWriteToDisk } from '../downloads/file-sink.ts';
import { useClient } from '../session/session.tsx';
import { type ResponseFilter, useResponseCount } from '../surveys/response-counts.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, SelectField, TextField, toChoices } from '../ui/fields.tsx';
import { formatNumber } from '../ui/format.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { EXPORT_FORMATS, type ExportOptions, isTable } from './export-options.ts';
import { EXPORT_MEDIA_TYPES, exportTitle, toSuffix, useExport } from './use-export.ts';

interface Props {
  readonly survey: Survey;
  /** The filters and conditions of the list. */
  readonly filter: ResponseFilter;
  /** The sources of the conditions. */
  readonly sources: readonly ConditionSource[];
  /** Suggested language of texts. */
  readonly language: string;
  /** The options of the last export, as initial values. */
  readonly options: ExportOptions | undefined;
  readonly onStarted: (options: ExportOptions) => void;
  readonly onClose: () => void;
}

const FORMAT_LABELS: Readonly<Record<ExportOptions['format'], string>> = {
  csv: 'CSV, for spreadsheets and statistics',
  xlsx: 'XLSX, a workbook with a codebook',
  ndjson: 'NDJSON, one response a line',
  json: 'JSON, an array',
};

/** Chooses the options of an export, and starts it. */
export function ExportDialog({ survey, filter, sources, language: suggested, options, onStarted, onClose }: Props) {
  const client = useClient();
  const { start } = useDownloads();
  const startExport = useExport(survey, filter, suggested);
  const [format, setFormat] = useState(options?.format ?? 'csv');
  const [labels, setLabels] = useState<'ids' | 'texts'>(options?.labels ?? 'ids');
  // The last export can have a language that the survey no longer has.
  const languages = survey.definition.supported_languages ?? [];
  const [language, setLanguage] = useState(languages.find((tag) => tag === options?.language) ?? suggested);
  const [masksFormulas, setMasksFormulas] = useState(options?.formulas !== true);
  const [notShown, setNotShown] = useState(options?.not_shown ?? '');
  const [onlyFiltered, setOnlyFiltered] = useState(options?.all !== true);
  const hasCells = isTable({ format });

  async function submit(): Promise<void> {
    const chosen: ExportOptions = removeUndefined({
      format,
      labels: labels === 'texts' ? labels : undefined,
      language,
      not_shown: notShown === '' ? undefined : notShown,
      formulas: masksFormulas ? undefined : true,
      all: onlyFiltered ? undefined : true,
    });
    if (!(await startExport(chosen))) return;
    onStarted(chosen);
    onClose();
  }

  async function startCodebook(): Promise<void> {
    const where = onlyFiltered ? filter.where : undefined;
    const suffix = await toSuffix(where);
    void start({
      group: survey.id,
      fileName: `${exportTitle(survey, suggested)} codebook${suffix}.csv`,
      mediaType: EXPORT_MEDIA_TYPES.csv,
      asksWhereToSave: false,
      open: (signal) =>
        client.responses.exportCodebookByQuery(
          survey.id,
          removeUndefined({ display_language: language, mask_formulas: masksFormulas, where }),
          { signal },
        ),
    });
    onClose();
  }

  return (
    <FormDialog
      title="Export responses"
      isOpen
      onClose={onClose}
      submitLabel="Export"
      onSubmit={submit}
      closesAfterSubmit={false}
    >
      <SelectField
        label="Format"
        value={format}
        onChange={setFormat}
        options={EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
      />
      {hasCells && (
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
      {hasCells && languages.length > 1 && (
        <SelectField
          label="Language of texts"
          description="Of this file, if it has texts, and of the codebook."
          value={language}
          onChange={setLanguage}
          options={toChoices(languages)}
        />
      )}
      {hasCells && (
        <TextField
          label="Value for questions not shown"
          description="For example -99. Empty for empty cells. A file with this value cannot be imported again."
          {...limits.ExportResponsesRequest.not_shown}
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
      {Object.keys(filter).length > 0 && (
        <>
          <Checkbox label="Only responses that match the filters" checked={onlyFiltered} onChange={setOnlyFiltered} />
          <SelectionFacts filter={filter} sources={sources} />
        </>
      )}
      {!canWriteToDisk() && <MemoryWarning surveyId={survey.id} filter={onlyFiltered ? filter : {}} />}
      <p className="soft small">
        The export continues while you use other pages. This page shows its progress. Loading it again stops the export.
      </p>
      {hasCells && (
        <div>
          <Button onPress={() => void startCodebook()}>Download only the codebook</Button>
        </div>
      )}
    </FormDialog>
  );
}

/** Exports of more responses may not fit into the memory of a tab. */
const MAX_IN_MEMORY = 100_000;

function MemoryWarning({ surveyId, filter }: { readonly surveyId: string; readonly filter: ResponseFilter }) {
  const { data } = useResponseCount(surveyId, filter);
  if (data === undefined || data.count <= MAX_IN_MEMORY) return null;
  return (
    <div className="notice" data-tone="warn" role="status">
      <p>
        This browser keeps the file in memory until it is complete, and {formatNumber(data.count)} responses may be too
        many. Export them in parts with filters by time, with Chrome or Edge, or with{' '}
        <code>survey responses export</code>.
      </p>
    </div>
  );
}
