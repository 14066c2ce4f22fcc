import type { Link, Survey } from '@survey/client';
import { useState } from 'react';
import { FilterFields } from '../responses/response-filters.tsx';
import { SelectField, TimeFilter, toChoices, withCurrent } from '../ui/fields.tsx';
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

const TIMES = [
  ['since', 'Created from'],
  ['until', 'Created before'],
  ['completed_since', 'Completed from'],
  ['completed_until', 'Completed before'],
] as const;

export function ResultFilters({ survey, links, search, displayLanguage, onChange }: Props) {
  // Compute this only once, so that the fields stay open when the user clears a time.
  const [opensTimes] = useState(() => TIMES.some(([name]) => search[name] !== undefined));
  const languages = survey.definition.supported_languages ?? [];
  return (
    <section aria-label="Filters" className="stack no-print">
      <div className="row">
        <FilterFields
          survey={survey}
          links={links}
          search={search}
          languageLabel="Language of responses"
          onChange={onChange}
        />
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
            options={withCurrent(toChoices(languages), displayLanguage)}
          />
        )}
      </div>
      <details open={opensTimes}>
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
