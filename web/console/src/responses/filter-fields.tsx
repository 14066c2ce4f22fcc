import type { Link, Survey } from '@survey/client';
import { choiceLimitDescription } from '../surveys/choice-limit.ts';
import { toChoices, withCurrent } from '../ui/choices.ts';
import { SelectField } from '../ui/fields.tsx';
import { RESPONSE_STATUSES, type ResponseSearch } from './response-search.ts';

/** The filters that lists and results of responses have in common. */
type FilterSearch = Pick<ResponseSearch, 'status' | 'link_id' | 'language' | 'version'>;

interface Props {
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
export function FilterFields({ survey, links, search, languageLabel, onChange }: Props) {
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
