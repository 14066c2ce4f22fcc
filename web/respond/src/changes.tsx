import type { Question, QuestionItem } from '@survey/questionnaire';
import { fileIdsOf, OTHER } from '@survey/questionnaire/answers/answer-value';
import { isObject, ownMember } from '@survey/questionnaire/json';
import { useState } from 'preact/hooks';
import { Choice } from './questions/choice.tsx';
import { readCell, readChoices, readSingle } from './questions/choices.ts';
import { Screen } from './screens.tsx';
import type { ChangedAnswer } from './session/changes.ts';
import type { Messages } from './texts/messages.ts';

interface Props {
  readonly changes: readonly ChangedAnswer[];
  readonly questions: readonly Question[];
  readonly messages: Messages;
  /** Returns the name of an uploaded file. */
  readonly nameOf: (fileId: string) => string;
  /** @param kept questions whose answers stay as they are on this device */
  readonly onContinue: (kept: ReadonlySet<string>) => void;
}

/**
 * Shows the answers that another device has changed. If this device has changed the same answer, the respondent chooses
 * one of the two. The answer of this device is preselected.
 */
export function Changes({ changes, questions, messages, nameOf, onContinue }: Props) {
  const contested = changes.filter(({ isContested }) => isContested).map(({ questionId }) => questionId);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set(contested));
  const shown = changes.flatMap((change) => {
    const question = questions.find(({ id }) => id === change.questionId);
    if (question === undefined) return [];
    const describe = (answer: unknown) => describeAnswer(question, answer, nameOf, messages.other) || messages.noAnswer;
    return {
      ...change,
      title: question.title,
      theirLabel: `${messages.onOtherDevice} ${describe(change.theirs)}`,
      myLabel: `${messages.onThisDevice} ${describe(change.mine)}`,
    };
  });
  const keep = (questionId: string) => setKept(new Set([...kept, questionId]));
  const take = (questionId: string) => setKept(new Set([...kept].filter((id) => id !== questionId)));
  return (
    <Screen {...messages.changed} lang={messages.tag}>
      {shown.map(({ questionId, title, theirLabel, myLabel, isContested }) => (
        <div key={questionId} class="question">
          <h2 class="question-title" id={`changed-${questionId}`}>
            <bdi>{title}</bdi>
          </h2>
          {isContested ? (
            <div role="radiogroup" class="choices" aria-labelledby={`changed-${questionId}`}>
              <Choice
                type="radio"
                name={questionId}
                checked={kept.has(questionId)}
                onChange={() => keep(questionId)}
                label={myLabel}
              />
              <Choice
                type="radio"
                name={questionId}
                checked={!kept.has(questionId)}
                onChange={() => take(questionId)}
                label={theirLabel}
              />
            </div>
          ) : (
            <p class="text" dir="auto">
              {theirLabel}
            </p>
          )}
        </div>
      ))}
      <button type="button" class="button primary" onClick={() => onContinue(kept)}>
        {messages.next}
      </button>
    </Screen>
  );
}

/**
 * Describes an answer with the texts that its question shows. Returns an empty text if there is no answer.
 *
 * @param otherLabel stands for the option `other` if its text is empty
 */
function describeAnswer(
  question: Question,
  answer: unknown,
  nameOf: (fileId: string) => string,
  otherLabel: string,
): string {
  const textOf = (items: readonly QuestionItem[]) => (id: unknown) =>
    items.find((item) => item.id === id)?.text ?? String(id);
  const rowsText = (rows: readonly QuestionItem[], items: readonly QuestionItem[]) =>
    rows
      .flatMap((row) => {
        const ids = isObject(answer) ? readCell(ownMember(answer, row.id)) : [];
        return ids.length === 0 ? [] : `${row.text}: ${ids.map(textOf(items)).join(', ')}`;
      })
      .join('; ');
  if (answer === undefined) return '';
  switch (question.type) {
    case 'single_choice': {
      const { option, text } = readSingle(answer);
      return option === OTHER && isObject(answer) ? text || otherLabel : textOf(question.options)(option);
    }
    case 'multiple_choice': {
      const { options, other: text } = readChoices(answer);
      return [...options.map(textOf(question.options)), ...(text === undefined ? [] : [text || otherLabel])].join(', ');
    }
    case 'likert':
      return question.rows.length === 0 ? textOf(question.options)(answer) : rowsText(question.rows, question.options);
    case 'matrix':
      return rowsText(question.rows, question.columns);
    case 'file_upload':
      return fileIdsOf(answer).map(nameOf).join(', ');
    default:
      return String(answer);
  }
}
