import type { Link, Survey } from '@survey/client';
import { describeChoices } from '../surveys/choice-limit.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { TimeFilter } from '../ui/time-field.tsx';
import { MAX_SAMPLE, RESPONSE_STATUSES, type ResponseSearch } from './response-search.ts';

interface Props {
  readonly survey: Survey;
  /** Links that can be chosen. */
  readonly links: readonly Link[];
  readonly search: ResponseSearch;
  /** Changes members of the search; undefined removes one. */
  readonly onChange: (change: { readonly [Name in keyof ResponseSearch]?: ResponseSearch[Name] | undefined }) => void;
}

const ALL = { value: '', label: 'All' };
const DEFAULT_SAMPLE = 20;
const TIMES = [
  ['since', 'Created from'],
  ['until', 'Created before'],
  ['completed_since', 'Completed from'],
  ['completed_until', 'Completed before'],
  ['updated_since', 'Changed from'],
] as const;
/** Times that are always shown. */
const MAIN_TIMES = 2;

export function ResponseFilters({ survey, links, search, onChange }: Props) {
  const languages = survey.definition.supported_languages ?? [];
  const hasMore = TIMES.slice(MAIN_TIMES).some(([name]) => search[name] !== undefined) || search.order !== undefined;
  const timeField = ([name, label]: (typeof TIMES)[number]) => (
    <TimeFilter key={name} label={label} value={search[name]} onChange={(time) => onChange({ [name]: time })} />
  );
  return (
    <section aria-label="Filters" className="stack no-print">
      <div className="row">
        <SelectField
          label="Status"
          value={search.status ?? ''}
          onChange={(status) => onChange({ status: RESPONSE_STATUSES.find((known) => known === status) })}
          options={[ALL, ...RESPONSE_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))]}
        />
        {(links.length > 0 || search.link_id !== undefined) && (
          <SelectField
            label="Link"
            {...describeChoices(links.length)}
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
            label="Language"
            value={search.language ?? ''}
            onChange={(language) => onChange({ language: language === '' ? undefined : language })}
            options={[
              ALL,
              ...withCurrent(
                languages.map((language) => ({ value: language, label: language })),
                search.language,
              ),
            ]}
          />
        )}
        {TIMES.slice(0, MAIN_TIMES).map(timeField)}
      </div>
      <details open={hasMore}>
        <summary>More filters</summary>
        <div className="row details-content">
          {TIMES.slice(MAIN_TIMES).map(timeField)}
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
            <TextField
              label="Sample size"
              type="number"
              min={1}
              max={MAX_SAMPLE}
              value={String(search.sample)}
              onChange={(size) => {
                const sample = Number(size);
                if (Number.isSafeInteger(sample) && sample >= 1 && sample <= MAX_SAMPLE) onChange({ sample });
              }}
            />
            <Button onPress={() => onChange({ draw: (search.draw ?? 1) + 1 })}>Draw again</Button>
            <Button onPress={() => onChange({ sample: undefined, draw: undefined })}>Show all</Button>
          </>
        )}
      </div>
    </section>
  );
}

/** Keeps a value of the address that is not among the options, such as the id of a deleted link. */
export function withCurrent(
  options: readonly { readonly value: string; readonly label: string }[],
  current: string | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  if (current === undefined || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: current }];
}
