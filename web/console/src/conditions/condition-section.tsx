import type { ResponseCondition } from '@survey/client';
import { CONDITION_LIMITS } from '@survey/questionnaire/conditions/condition-schema';
import {
  type ConditionSource,
  describeConditions,
  isNegative,
  toSentence,
} from '@survey/questionnaire/conditions/condition-sources';
import { shorten } from '@survey/questionnaire/shorten';
import { useRef, useState } from 'react';
import { type ResponseFilter, useResponseCount } from '../surveys/response-counts.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields.tsx';
import { countOf, formatNumber } from '../ui/format.tsx';
import { ConditionDialog } from './condition-dialog.tsx';
import type { PageConditions } from './use-conditions.ts';
import { addConditions, keyOf, removeConditions } from './where.ts';

interface Props {
  readonly conditions: PageConditions;
  /** The questions and other parts of responses that conditions can test. */
  readonly sources: readonly ConditionSource[];
  readonly surveyId: string;
  /** The other filters of the page. */
  readonly filter: ResponseFilter;
}

const MAX_SENTENCE_LENGTH = 300;

/** The conditions of a page as sentences, with the number of responses that match, and a way to change them. */
export function ConditionSection({ conditions: { where, isUnreadable, change }, sources, surveyId, filter }: Props) {
  const section = useRef<HTMLElement>(null);
  /** The condition that the dialog changes, or `new`. */
  const [edited, setEdited] = useState<ResponseCondition | 'new'>();
  const conditions = where?.conditions ?? [];

  /** The pressed button is removed with its condition, so the section gets the focus. */
  function remove(removed: readonly ResponseCondition[]): void {
    change(removeConditions(where, removed));
    section.current?.focus();
  }

  /** The pressed button goes, so the section gets the focus. */
  function requireAnswer(condition: ResponseCondition): void {
    change(addConditions(where, [toAnswered(condition)]));
    section.current?.focus();
  }

  function save(saved: readonly ResponseCondition[]): void {
    if (edited === undefined || edited === 'new') {
      change(addConditions(where, saved));
      return;
    }
    const match = where?.match ?? 'all';
    // The dialog shows the condition that requires an answer as "and answered", which can be unchecked.
    const hasCheckbox = isNegative(edited.operator) && match === 'all';
    const rest = hasCheckbox ? removeConditions(where, [toAnswered(edited)]) : where;
    const changed = (rest?.conditions ?? []).flatMap((condition) =>
      keyOf(condition) === keyOf(edited) ? saved.slice(0, 1) : [condition],
    );
    change(addConditions({ match, conditions: changed }, saved));
  }

  return (
    <section ref={section} tabIndex={-1} aria-label="Conditions" className="conditions no-print">
      {isUnreadable && (
        <p className="notice" data-tone="warn">
          The conditions in the address cannot be read, so none apply.
        </p>
      )}
      {conditions.length > 1 && (
        <SelectField
          label="Show responses for which"
          value={where?.match ?? 'all'}
          onChange={(match) => change({ match, conditions })}
          options={[
            { value: 'all', label: 'all conditions hold' },
            { value: 'any', label: 'at least one condition holds' },
          ]}
        />
      )}
      {where !== undefined && (
        <ul className="plain-list condition-list">
          {conditions.map((condition, position) => {
            const text = describeConditions({ ...where, conditions: [condition] }, sources);
            const { label, words, values, orUnanswered } = toSentence(condition, sources, where);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: its buttons keep the focus when a condition changes.
              <li key={position}>
                <span className="clamped">
                  <bdi>{shorten(label, MAX_SENTENCE_LENGTH)}</bdi> {words}{' '}
                  {values.map((value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: values keep their positions.
                    <span key={index}>
                      {index > 0 && ', '}
                      <strong>
                        <bdi>{shorten(value, MAX_SENTENCE_LENGTH)}</bdi>
                      </strong>
                    </span>
                  ))}
                  {orUnanswered && ', or not answered'}
                </span>
                <span className="row-tight">
                  {orUnanswered && where.match !== 'any' && (
                    <Button
                      variant="plain"
                      aria-label={`and answered: ${shorten(text, MAX_SENTENCE_LENGTH)}`}
                      onPress={() => requireAnswer(condition)}
                    >
                      and answered
                    </Button>
                  )}
                  <Button
                    variant="plain"
                    aria-label={`Change: ${shorten(text, MAX_SENTENCE_LENGTH)}`}
                    onPress={() => setEdited(condition)}
                  >
                    Change
                  </Button>
                  <Button
                    variant="plain"
                    aria-label={`Remove: ${shorten(text, MAX_SENTENCE_LENGTH)}`}
                    onPress={() => remove([condition])}
                  >
                    Remove
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <div className="row-tight">
        <Button isDisabled={conditions.length >= CONDITION_LIMITS.conditions} onPress={() => setEdited('new')}>
          Add a condition
        </Button>
        {conditions.length > 0 && (
          <Button variant="plain" onPress={() => remove(conditions)}>
            Clear the conditions
          </Button>
        )}
        <p className="soft" role="status">
          {where === undefined ? (
            'Select responses by their answers.'
          ) : (
            <MatchCount surveyId={surveyId} filter={filter} where={where} />
          )}
        </p>
      </div>
      {edited !== undefined && (
        <ConditionDialog
          sources={sources}
          condition={edited === 'new' ? undefined : edited}
          where={where}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}

/** The condition that requires an answer to the same source. */
function toAnswered({ value, ...condition }: ResponseCondition): ResponseCondition {
  return { ...condition, operator: 'is_answered' };
}

interface MatchCountProps {
  readonly surveyId: string;
  readonly filter: ResponseFilter;
  readonly where: NonNullable<ResponseFilter['where']>;
}

function MatchCount({ surveyId, filter, where }: MatchCountProps) {
  const all = useResponseCount(surveyId, filter);
  const matching = useResponseCount(surveyId, { ...filter, where });
  if (all.isError || matching.isError) return 'The responses cannot be counted now.';
  if (all.data === undefined || matching.data === undefined) return 'Counting…';
  const { count, lacking_question: lacking = 0 } = matching.data;
  const found = `${formatNumber(count)} of ${countOf(all.data.count, 'response', 'responses')} match`;
  if (lacking === 0) return `${found}.`;
  const versions = countOf(lacking, 'response is of a version', 'responses are of versions');
  return `${found}. ${versions} without a question of the conditions: it counts as not answered.`;
}
