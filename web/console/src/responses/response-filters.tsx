import type { Link, Survey } from '@survey/client';
import { Button } from '../ui/button.tsx';
import { useDelayedText } from '../ui/delayed-commit.ts';
import { choiceLimitDescription, SelectField, TextField, TimeFilter, toChoices, withCurrent } from '../ui/fields.tsx';
import { MAX_SAMPLE, RESPONSE_STATUSES, type ResponseSearch } from './response-search.ts';

interface Props {
  readonly survey: Survey;
  /** Links that can be chosen. */
  readonly links: readonly Link[];
  readonly search: ResponseSearch;
  /** Changes members of the search; undefined removes one. */
  readonly onChange: (change: { readonly [Name in keyof ResponseSearch]?: ResponseSearch[Name] | undefined }) => void;
}

const DEFAULT_SAMPLE = 20;
const TIMES = [
  ['since', 'Created from'],
  ['until', 'Created before'],
  ['completed_since', 'Completed from'],
  ['completed_until', 'Completed before'],
  ['updated_since', 'Changed from'],
] as const;
/** Number of times that are always shown. */
const MAIN_COUNT = 2;

export function ResponseFilters({ survey, links, search, onChange }: Props) {
  const opensMore = TIMES.slice(MAIN_COUNT).some(([name]) => search[name] !== undefined) || search.order !== undefined;
  const timeField = ([name, label]: (typeof TIMES)[number]) => (
    <TimeFilter key={name} label={label} value={search[name]} onChange={(time) => onChange({ [name]: time })} />
  );
  return (
    <section aria-label="Filters" className="stack no-print">
      <div className="row">
        <FilterFields survey={survey} links={links} search={search} languageLabel="Language" onChange={onChange} />
        {TIMES.slice(0, MAIN_COUNT).map(timeField)}
      </div>
      <details open={opensMore}>
        <summary>More filters</summary>
        <div className="row details-content">
          {TIMES.slice(MAIN_COUNT).map(timeField)}
          <SelectField
            label="Order"
            value={search.order ?? 'desc'}
            onChange={(order) => onChange({ order: order === 'asc' ? order : undefined })}
            options={[
              { value: 'desc', label: 'newest first' },
              { value: 'asc', label: 'oldest first' },
            ]}
          />
        </div>
      </details>
      <div className="row">
        {search.sample === undefined ? (
          <Button onPress={() => onChange({ sample: DEFAULT_SAMPLE, draw: 1 })}>Random sample</Button>
        ) : (
          <>
            <SampleSizeField value={search.sample} onChange={(sample) => onChange({ sample })} />
            <Button onPress={() => onChange({ draw: (search.draw ?? 1) + 1 })}>Draw again</Button>
            <Button onPress={() => onChange({ sample: undefined, draw: undefined })}>Show all</Button>
          </>
        )}
      </div>
    </section>
  );
}

interface SampleSizeProps {
  readonly value: number;
  readonly onChange: (size: number) => void;
}

/** The size of a sample. It takes effect a moment after the last key, because each change draws a new sample. */
function SampleSizeField({ value, onChange }: SampleSizeProps) {
  const { text, change, flush } = useDelayedText(String(value), (next) => {
    const size = Number(next);
    if (Number.isSafeInteger(size) && size >= 1 && size <= MAX_SAMPLE) onChange(size);
  });
  return (
    <TextField
      label="Sample size"
      type="number"
      min={1}
      max={MAX_SAMPLE}
      value={text}
      onChange={change}
      onCommit={flush}
    />
  );
}

/** The filters that lists and results of responses have in common. */
type FilterSearch = Pick<ResponseSearch, 'status' | 'link_id' | 'language' | 'version'>;

interface FilterFieldsProps {
  readonly survey: Survey;
  /** Links that can be chosen. */
  readonly links: readonly Link[];
  readonly search: FilterSearch;
  readonly languageLabel: string;
  /** Changes members of the search; undefined removes one. */
  readonly onChange: (change: { readonly [Name in keyof FilterSearch]?: FilterSearch[Name] | undefined }) => void;
}

/** Maximum number of versions to choose from: the latest ones. */
const MAX_VERSIONS = 200;

/** The choice that does not filter. */
const ALL = { value: '', label: 'All' };

/** Choices of status, link, language and version. The last three are shown only if there is something to choose. */
export function FilterFields({ survey, links, search, languageLabel, onChange }: FilterFieldsProps) {
  const languages = survey.definition.supported_languages ?? [];
  const version = search.version === undefined ? undefined : String(search.version);
  const versions = Array.from({ length: Math.min(survey.version, MAX_VERSIONS) }, (_, index) =>
    String(survey.version - index),
  );
  return (
    <>
      <SelectField
        label="Status"
        value={search.status ?? ''}
        onChange={(status) => onChange({ status: RESPONSE_STATUSES.find((known) => known === status) })}
        options={[ALL, ...RESPONSE_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))]}
      />
      {(links.length > 0 || search.link_id !== undefined) && (
        <SelectField
          label="Link"
          {...choiceLimitDescription(links.length)}
          value={search.link_id ?? ''}
          onChange={(link_id) => onChange({ link_id: link_id === '' ? undefined : link_id })}
          options={[
            ALL,
            ...withCurrent(
              links.map(({ id, slug }) => ({ value: id, label: slug })),
              search.link_id,
            ),
          ]}
        />
      )}
      {(languages.length > 1 || search.language !== undefined) && (
        <SelectField
          label={languageLabel}
          value={search.language ?? ''}
          onChange={(language) => onChange({ language: language === '' ? undefined : language })}
          options={[ALL, ...withCurrent(toChoices(languages), search.language)]}
        />
      )}
      {(survey.version > 1 || version !== undefined) && (
        <SelectField
          label="Version"
          value={version ?? ''}
          onChange={(chosen) => onChange({ version: chosen === '' ? undefined : Number(chosen) })}
          options={[ALL, ...withCurrent(toChoices(versions), version)]}
        />
      )}
    </>
  );
}
