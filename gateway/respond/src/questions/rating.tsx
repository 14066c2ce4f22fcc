import type { QuestionOf } from '@survey/questionnaire';
import type { ControlProps } from './frame.tsx';

/** A longer scale is entered as a number. */
const MANY_VALUES = 21;

/** A number on a scale. */
export function Rating(props: ControlProps<QuestionOf<'rating'>>) {
  const { question, answer, onAnswer, messages, required, described } = props;
  const { values, labels } = question;
  if (values === undefined || values.length > MANY_VALUES) return <NumberInput {...props} />;
  return (
    <>
      <div role="radiogroup" aria-required={required} class="scale" {...described}>
        {values.map((value) => (
          <label key={value} class="scale-value" data-checked={answer === value ? true : undefined}>
            <input type="radio" name={question.id} checked={answer === value} onChange={() => onAnswer(value)} />
            <span>{value}</span>
            {labels.has(value) && <bdi class="scale-label">{labels.get(value)}</bdi>}
          </label>
        ))}
      </div>
      {!required && answer !== undefined && (
        <button type="button" class="link" lang={messages.tag} onClick={() => onAnswer(undefined)}>
          {messages.clear}
        </button>
      )}
    </>
  );
}

function NumberInput({ answer, onAnswer, required, described }: ControlProps<QuestionOf<'rating'>>) {
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class="short"
      {...described}
      aria-required={required}
      value={answer === undefined ? '' : String(answer)}
      onInput={({ currentTarget: { value } }) => onAnswer(readNumber(value))}
    />
  );
}

/** A text that is not a number stays, so that the respondent sees the error. So does a number that is not complete. */
function readNumber(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return String(number) === text ? number : text;
}
