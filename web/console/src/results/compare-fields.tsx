import type { Link, Survey } from '@survey/client';
import type { Question } from '@survey/questionnaire';
import { readQuestions } from '../definitions/questions.ts';
import { SelectField, withCurrent } from '../ui/fields.tsx';
import type { Comparison } from './results-search.ts';

const MIN_CELLS = [3, 5, 10, 20] as const;
const MAX_TITLE_LENGTH = 80;
const QUESTION = 'question:';

interface Props {
  readonly survey: Survey;
  readonly links: readonly Link[];
  readonly comparison: Comparison;
  readonly displayLanguage: string;
  readonly onChange: (change: { readonly [Name in keyof Comparison]: Comparison[Name] | undefined }) => void;
}

/** Chooses the groups to compare, and whether small counts are hidden. */
export function CompareFields({ survey, links, comparison, displayLanguage, onChange }: Props) {
  const { by, by_question, min_cell } = comparison;
  const value = by_question === undefined ? (by ?? '') : `${QUESTION}${by_question}`;
  const metadata = (survey.settings.metadata_fields ?? []).map(({ name }) => `metadata.${name}`);
  const choices = [
    ...readQuestions(survey.definition, displayLanguage)
      .filter(canCompareBy)
      .map(({ id, title }) => ({ value: `${QUESTION}${id}`, label: title.slice(0, MAX_TITLE_LENGTH) })),
    ...(links.length > 0 ? [{ value: 'link', label: 'Link' }] : []),
    ...((survey.definition.supported_languages ?? []).length > 1 ? [{ value: 'language', label: 'Language' }] : []),
    ...metadata.map((name) => ({ value: name, label: name })),
  ];
  const smallest = min_cell === undefined ? '' : String(min_cell);
  if (choices.length === 0 && value === '') return null;
  return (
    <section aria-label="Comparison" className="row no-print">
      <SelectField
        label="Compare by"
        value={value}
        onChange={(chosen) =>
          onChange({
            by: chosen === '' || chosen.startsWith(QUESTION) ? undefined : chosen,
            by_question: chosen.startsWith(QUESTION) ? chosen.slice(QUESTION.length) : undefined,
            min_cell: chosen === '' ? undefined : min_cell,
          })
        }
        options={[{ value: '', label: 'Nothing' }, ...withCurrent(choices, value === '' ? undefined : value)]}
      />
      {value !== '' && (
        <SelectField
          label="Hide counts"
          value={smallest}
          onChange={(chosen) => onChange({ by, by_question, min_cell: chosen === '' ? undefined : Number(chosen) })}
          options={[
            { value: '', label: 'None' },
            ...withCurrent(
              MIN_CELLS.map((count) => ({ value: String(count), label: `Below ${count}` })),
              smallest === '' ? undefined : smallest,
            ),
          ]}
        />
      )}
    </section>
  );
}

/** Whether responses can be grouped by the answers to a question. */
function canCompareBy(question: Question): boolean {
  if (question.type === 'likert') return question.rows.length === 0;
  return question.type === 'single_choice' || question.type === 'multiple_choice' || question.type === 'rating';
}
