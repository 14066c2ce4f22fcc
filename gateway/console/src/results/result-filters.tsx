import type { Link, Survey } from '@survey/client';
import { withCurrent } from '../responses/response-filters.tsx';
import { RESPONSE_STATUSES } from '../responses/response-search.ts';
import { SelectField } from '../ui/fields.tsx';
import { TimeFilter } from '../ui/time-field.tsx';
import { INTERVALS, type ResultsSearch } from './results-search.ts';

export type ResultsChange = { readonly [Name in keyof ResultsSearch]?: ResultsSearch[Name] | undefined };

interface Props {
  readonly survey: Survey;
  /** Links that can be chosen. */
  readonly links: readonly Link[];
  readonly search: ResultsSearch;
  /** Language of titles and texts. */
  readonly displayLanguage: string;
  /** Changes members of the search; undefined removes one. */
  readonly onChange: (change: ResultsChange) => void;
}

const ALL = { value: '', label: 'All' };
const MAX_VERSIONS = 200;
const TIMES = [
  ['since', 'Created from'],
  ['until', 'Created before'],
  ['completed_since', 'Completed from'],
  ['completed_until', 'Completed before'],
] as const;

export function ResultFilters({ survey, links, search, displayLanguage, onChange }: Props) {
  const languages = survey.definition.supported_languages ?? [];
  const languageOptions = languages.map((language) => ({ value: language, label: language }));
  const versions = Array.from({ length: Math.min(survey.version, MAX_VERSIONS) }, (_, index) =>
    String(survey.version - index),
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
            label="Language of responses"
            value={search.language ?? ''}
            onChange={(language) => onChange({ language: language === '' ? undefined : language })}
            options={[ALL, ...withCurrent(languageOptions, search.language)]}
          />
        )}
        {(survey.version > 1 || search.version !== undefined) && (
          <SelectField
            label="Version"
            value={String(search.version ?? '')}
            onChange={(version) => onChange({ version: version === '' ? undefined : Number(version) })}
            options={[
              ALL,
              ...withCurrent(
                versions.map((value) => ({ value, label: value })),
                search.version === undefined ? undefined : String(search.version),
              ),
            ]}
          />
        )}
        <SelectField
          label="Over time by"
          value={search.interval ?? 'day'}
          onChange={(interval) => onChange({ interval: interval === 'day' ? undefined : interval })}
          options={INTERVALS.map((value) => ({ value, label: value }))}
        />
        {(languages.length > 1 || search.display_language !== undefined) && (
          <SelectField
            label="Language of texts"
            value={displayLanguage}
            onChange={(display_language) => onChange({ display_language })}
            options={withCurrent(languageOptions, displayLanguage)}
          />
        )}
      </div>
      <details open={TIMES.some(([name]) => search[name] !== undefined)}>
        <summary>Times</summary>
        <div className="row details-content">
          {TIMES.map(([name, label]) => (
            <TimeFilter key={name} label={label} value={search[name]} onChange={(time) => onChange({ [name]: time })} />
          ))}
        </div>
      </details>
    </section>
  );
}
